#include "fit/machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/checked.h"
#include "base/human.h"

namespace accelscope::fit {
namespace {

using base::Bytes;
using base::Checked;
using base::Result;

constexpr std::uint64_t kTilesNeeded = 2;  // one that is worked on, one that comes
constexpr std::uint64_t kMostLength = 1U << 20U;

constexpr std::uint32_t kMostBuffers = 1024;
constexpr std::uint64_t kLongestLatency = 1'000'000'000;

std::uint64_t longest_latency(const boards::BoardLatency& l) {
  return std::max({l.systolic_processing_overhead, l.vector_add, l.vector_mul, l.vector_exp, l.vector_reci,
                   l.vector_max, l.vector_sum, l.scalar_fp_basic, l.scalar_fp_exp, l.scalar_fp_sqrt,
                   l.scalar_fp_reci, l.scalar_int_basic});
}

Bytes memory_of(Checked elements, const boards::NumberFormat& format) {
  const auto bytes = elements.fits() ? boards::bytes_of(*elements.value(), format) : std::nullopt;
  return bytes.value_or(Bytes::max());
}

std::vector<std::string> missing_in(const Machine& machine, const boards::Board& board) {
  std::vector<std::string> missing;
  if (!machine.clock.known()) missing.emplace_back("a clock (clock_mhz; --clock-mhz gives one)");
  if (machine.capacity.value <= 0)
    missing.emplace_back("a memory's capacity (memory.capacity_bytes; --capacity gives one)");
  if (machine.bandwidth.value <= 0)
    missing.emplace_back("a memory's bandwidth (memory.effective_bandwidth_gbps; --bandwidth gives one)");
  if (board.host_link && board.host_link->bandwidth.value <= 0 && !machine.link)
    missing.emplace_back(
        "a link's bandwidth (host_link.bandwidth_bytes_per_sec; --host-bandwidth gives one)");
  return missing;
}

// The memories that the board's file or the settings ask for, unless the chip has less: then tiles get half
// of it at most, rows what is left.
void share_chip(Machine& machine, const boards::Board& board, const boards::SettingsTree& settings) {
  const boards::SettingsConfig& config = settings.config;
  const boards::NumberFormat matrix_format =
      board.precision.matrix_sram.value_or(settings.precision.matrix_sram);
  const std::uint64_t matrix_rows = board.memory.matrix_sram_tiles.value_or(config.matrix_sram_rows);
  const std::uint64_t vector_rows = board.memory.vector_sram_depth.value_or(config.vector_sram_rows);
  const Bytes matrix = memory_of(Checked(matrix_rows) * machine.mlen, matrix_format);
  const Bytes vector = memory_of(Checked(vector_rows) * machine.vlen, machine.vector_format);
  const auto asked = base::checked_add(matrix.value, vector.value);
  machine.on_chip_asked = asked ? Bytes{*asked} : Bytes::max();
  machine.matrix_sram = matrix;
  machine.vector_sram = vector;
  if (!machine.on_chip || machine.on_chip_asked <= *machine.on_chip) return;
  const Bytes tiles = memory_of(Checked(kTilesNeeded) * machine.mlen * machine.mlen, matrix_format);
  machine.matrix_sram = std::min(matrix, std::max(tiles, Bytes{machine.on_chip->value / 2}));
  machine.vector_sram = std::min(vector, std::max(Bytes{0}, *machine.on_chip - machine.matrix_sram));
}

void take_link(Machine& machine, const boards::Board& board, const Overrides& overrides) {
  if (board.host_link && board.host_link->bandwidth.value > 0)
    machine.link = Link{board.host_link->bandwidth, {}};
  if (overrides.host_bandwidth) machine.link = Link{*overrides.host_bandwidth, {}};
  if (!machine.link) return;
  const auto of_board = board.host_link ? board.host_link->latency : std::nullopt;
  const base::Nanoseconds latency = overrides.link_latency.value_or(of_board.value_or(base::Nanoseconds{0}));
  machine.link->latency = {latency.value * 1000};
}

}  // namespace

std::string_view name_of(Streaming streaming) {
  constexpr std::array<std::string_view, 4> kNames{"best", "stream", "swap", "pinned"};
  return kNames[static_cast<std::size_t>(streaming)];
}

base::Bytes Machine::least_on_chip(const boards::Model& model) const {
  constexpr boards::NumberFormat kSum{boards::ElementType::floating(true, 8, 23)};
  const Bytes tiles = memory_of(Checked(kTilesNeeded) * mlen * mlen, vector_format);
  const Bytes rows = memory_of(Checked(live_elements(model)) * blen, vector_format);
  const Bytes sums = memory_of(Checked(blen) * blen, kSum);
  const Checked all = Checked(static_cast<std::uint64_t>(tiles.value)) +
                      static_cast<std::uint64_t>(rows.value) + static_cast<std::uint64_t>(sums.value);
  return {static_cast<std::int64_t>(
      std::min(all.value_or(UINT64_MAX), static_cast<std::uint64_t>(Bytes::max().value)))};
}

std::string wrong_dimensions(std::uint64_t mlen, std::uint64_t blen, std::uint64_t vlen) {
  if (mlen == 0 || blen == 0 || vlen == 0) return "MLEN, BLEN and VLEN must be above zero";
  if (std::max({mlen, blen, vlen}) > kMostLength)
    return fmt::format("MLEN, BLEN and VLEN are at most {}", base::format_count(kMostLength));
  if (mlen % blen != 0) return fmt::format("MLEN {} is no multiple of BLEN {}", mlen, blen);
  if (vlen < blen) return fmt::format("VLEN {} is less than BLEN {}", vlen, blen);
  return {};
}

Result<Machine> machine_of(const boards::Board& board, const boards::SettingsTree& settings,
                           const Overrides& overrides) {
  Machine machine{.name = board.name, .clock = overrides.clock.value_or(board.clock)};
  machine.mlen = overrides.mlen.value_or(settings.config.mlen);
  machine.blen = overrides.blen.value_or(settings.config.blen);
  machine.vlen = overrides.vlen.value_or(overrides.mlen.value_or(settings.config.vlen));
  if (const std::string wrong = wrong_dimensions(machine.mlen, machine.blen, machine.vlen); !wrong.empty())
    return base::fail(base::ErrorCode::kUsage, "{}", wrong);
  if (overrides.buffers == 0 || overrides.buffers > kMostBuffers)
    return base::fail(base::ErrorCode::kUsage, "buffers: {} is not from 1 to {}", overrides.buffers,
                      kMostBuffers);
  if (const std::uint64_t longest = longest_latency(board.latency); longest > kLongestLatency)
    return base::fail(base::ErrorCode::kUsage, "board {}: a latency of {} cycles; at most {} make sense",
                      board.name, longest, kLongestLatency);
  machine.latency = board.latency;
  machine.costs = overrides.costs;
  machine.vector_format = board.precision.vector_sram.value_or(settings.precision.vector_sram);
  machine.on_chip = board.resources.on_chip_memory();
  machine.capacity = overrides.capacity.value_or(board.memory.capacity().value_or(Bytes{0}));
  machine.bandwidth =
      overrides.bandwidth.value_or(board.memory.bandwidth().value_or(base::BytesPerSecond{0}));
  machine.watts = board.power.tdp_watts;
  machine.buffers = overrides.buffers;
  machine.streaming = overrides.streaming;
  machine.formats.weights =
      overrides.weights.value_or(board.precision.weights.value_or(settings.precision.matrix_weights));
  machine.formats.kv = overrides.kv.value_or(settings.precision.matrix_kv);
  machine.formats.activations = overrides.activations.value_or(
      board.precision.activations.value_or(settings.precision.vector_activations));
  take_link(machine, board, overrides);
  share_chip(machine, board, settings);
  if (const auto missing = missing_in(machine, board); !missing.empty())
    return base::fail(base::ErrorCode::kUsage, "board {} has not what fit needs: {}", board.name,
                      fmt::join(missing, "; "));
  return machine;
}

}  // namespace accelscope::fit
