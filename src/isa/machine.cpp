#include "isa/machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/closest_name.h"

namespace accelscope::isa {
namespace {

using base::ErrorCode;
using base::Status;

void take_settings(Machine& machine, const boards::SettingsTree& settings) {
  const boards::SettingsConfig& config = settings.config;
  machine.mlen = config.mlen;
  machine.vlen = config.vlen;
  machine.blen = config.blen;
  machine.hlen = config.hlen;
  machine.broadcast = config.broadcast_amount;
  machine.vector_rows = config.vector_sram_rows;
  machine.matrix_prefetch_rows = config.matrix_prefetch_rows;
  machine.vector_prefetch_rows = config.vector_prefetch_rows;
  machine.vector_writeback_rows = config.vector_writeback_rows;
  machine.formats = settings.precision;
  machine.external_memory = config.hbm_size;
  machine.max_loop_instructions = config.max_loop_instructions;
  machine.dc_enabled = config.dc_enabled;
  const boards::SettingsLatencies& given = settings.latency;
  const auto cycles = [&](const boards::SettingsLatency& one) { return one.by(config.dc_enabled); };
  Latencies& l = machine.latencies;
  l.systolic_overhead = cycles(given.systolic_processing_overhead);
  l.vector_add = cycles(given.vector_add);
  l.vector_multiply = cycles(given.vector_mul);
  l.vector_exponential = cycles(given.vector_exp);
  l.vector_reciprocal = cycles(given.vector_reci);
  l.vector_maximum = cycles(given.vector_max);
  l.vector_sum = cycles(given.vector_sum);
  l.float_basic = cycles(given.scalar_fp_basic);
  l.float_exponential = cycles(given.scalar_fp_exp);
  l.float_reciprocal = cycles(given.scalar_fp_reci);
  l.float_square_root = cycles(given.scalar_fp_sqrt);
  l.integer_basic = cycles(given.scalar_int_basic);
}

// Named sets of latencies that the reference's profiler knows; both names mean the same.
Status take_latency_profile(Machine& machine, std::string_view name) {
  constexpr std::array<std::string_view, 3> kNone{"", "default", "dc_lib_dis"};
  constexpr std::array<std::string_view, 2> kKnown{"nexys_a7_150mhz", "nexys_video_150mhz"};
  // With the vendor's library the profile is not looked at.
  if (machine.dc_enabled || std::find(kNone.begin(), kNone.end(), name) != kNone.end()) return {};
  if (std::find(kKnown.begin(), kKnown.end(), name) == kKnown.end())
    return base::fail(ErrorCode::kUsage, "no latency profile is called `{}`{}; there are: {}", name,
                      base::suggestion(name, kKnown), fmt::join(kKnown, ", "));
  machine.latencies.float_exponential = 18;
  machine.latencies.float_reciprocal = 6;
  machine.latencies.vector_add = 11;
  machine.latencies.vector_exponential = 18;
  machine.latency_profile = name;
  return {};
}

std::uint64_t cycles_in(const std::optional<base::Cycles>& cycles) {
  return cycles ? static_cast<std::uint64_t>(std::max<std::int64_t>(0, cycles->value)) : 0;
}

void take_board_latencies(Machine& machine, const boards::Board& board) {
  const boards::BoardLatency& given = board.latency;
  Latencies& l = machine.latencies;
  l.systolic_overhead = given.systolic_processing_overhead;
  l.vector_add = given.vector_add;
  l.vector_multiply = given.vector_mul;
  l.vector_exponential = given.vector_exp;
  l.vector_reciprocal = given.vector_reci;
  l.vector_maximum = given.vector_max;
  l.vector_sum = given.vector_sum;
  l.float_basic = given.scalar_fp_basic;
  l.float_exponential = given.scalar_fp_exp;
  l.float_reciprocal = given.scalar_fp_reci;
  l.float_square_root = given.scalar_fp_sqrt;
  l.integer_basic = given.scalar_int_basic;
  l.prefetch_matrix = cycles_in(board.memory.prefetch_matrix);
  l.prefetch_vector = cycles_in(board.memory.prefetch_vector);
  l.store_vector = cycles_in(board.memory.store_vector);
  machine.charges_transfers = board.memory.charges_transfers();
  machine.dc_enabled = given.dc_lib_enabled;
  machine.latency_profile.clear();
}

// What a settings file says of one build is closer to the program than what a board says of all of them.
void take_board_sizes(Machine& machine, const boards::Board& board) {
  const boards::BoardMemory& memory = board.memory;
  // Rows, whatever the key is called.
  if (memory.matrix_sram_tiles) machine.matrix_tiles = *memory.matrix_sram_tiles / machine.mlen;
  machine.vector_rows = memory.vector_sram_depth.value_or(machine.vector_rows);
  machine.matrix_prefetch_rows = memory.matrix_prefetch_rows.value_or(machine.matrix_prefetch_rows);
  machine.vector_prefetch_rows = memory.vector_prefetch_rows.value_or(machine.vector_prefetch_rows);
  machine.vector_writeback_rows = memory.vector_writeback_rows.value_or(machine.vector_writeback_rows);
  machine.formats.matrix_weights = board.precision.weights.value_or(machine.formats.matrix_weights);
  machine.formats.vector_activations =
      board.precision.activations.value_or(machine.formats.vector_activations);
}

// A dimension brings with it what follows from it, as the reference's test bench has it.
void take_overrides(Machine& machine, const MachineOverrides& said) {
  if (said.mlen) machine.mlen = machine.vlen = machine.matrix_prefetch_rows = *said.mlen;
  if (said.blen) machine.blen = machine.vector_prefetch_rows = machine.vector_writeback_rows = *said.blen;
  machine.vlen = said.vlen.value_or(machine.vlen);
  machine.hlen = said.hlen.value_or(machine.hlen);
  machine.clock = said.clock.value_or(machine.clock);
}

Status check(const Machine& machine) {
  struct Dimension {
    std::string_view name;
    std::uint64_t value;
  };
  for (const Dimension& one : {Dimension{"MLEN", machine.mlen}, Dimension{"VLEN", machine.vlen},
                               Dimension{"BLEN", machine.blen}, Dimension{"HLEN", machine.hlen},
                               Dimension{"the rows of a prefetch of matrices", machine.matrix_prefetch_rows},
                               Dimension{"the rows of a prefetch of vectors", machine.vector_prefetch_rows},
                               Dimension{"the rows of a store", machine.vector_writeback_rows}})
    if (one.value == 0 || one.value > kLargestDimension)
      return base::fail(ErrorCode::kUsage, "{}: {} must be from 1 to {}, not {}", machine.name, one.name,
                        kLargestDimension, one.value);
  if (machine.mlen % machine.blen != 0)
    return base::fail(ErrorCode::kUsage, "{}: MLEN ({}) must be a multiple of BLEN ({})", machine.name,
                      machine.mlen, machine.blen);
  if (!machine.clock.known())
    return base::fail(ErrorCode::kUsage, "{}: the clock must be above 0", machine.name);
  return {};
}

}  // namespace

base::Result<Machine> make_machine(const MachineSources& sources) {
  const boards::SettingsTree shipped;
  const boards::SettingsTree& settings = sources.settings == nullptr ? shipped : *sources.settings;
  Machine machine;
  machine.name = sources.board == nullptr ? "settings" : sources.board->name;
  take_settings(machine, settings);
  ACCELSCOPE_CHECK(take_latency_profile(machine, settings.config.latency_profile));
  take_overrides(machine, sources.overrides);
  machine.matrix_tiles = settings.config.matrix_sram_rows / std::max<std::uint64_t>(1, machine.mlen);
  if (sources.board != nullptr) {
    take_board_latencies(machine, *sources.board);
    if (sources.settings == nullptr) take_board_sizes(machine, *sources.board);
    machine.external_memory = sources.board->memory.capacity().value_or(machine.external_memory);
    machine.clock = sources.board->clock;
    take_overrides(machine, sources.overrides);
  }
  machine.latencies.mlen = machine.mlen;
  machine.latencies.vlen = machine.vlen;
  ACCELSCOPE_CHECK(check(machine));
  // The hardware fills whole tiles.
  machine.matrix_prefetch_rows =
      (machine.matrix_prefetch_rows + machine.mlen - 1) / machine.mlen * machine.mlen;
  return machine;
}

}  // namespace accelscope::isa
