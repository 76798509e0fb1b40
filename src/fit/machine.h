// What a fit needs to know of a board and of the accelerator on it, all in one place: dimensions, clock,
// latencies, memories, link. Made of a board, settings and what the command line says instead.
//
// Plain data and pure functions, safe from any thread.
//
//   ACCELSCOPE_TRY(const Machine machine, machine_of(board, settings.transactional, {.mlen = 128}));
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "boards/board.h"
#include "boards/settings.h"
#include "fit/footprint.h"

namespace accelscope::fit {

// Whose cycles: the emulator's rule with the board's latencies, or those measured on the hardware
// description.
enum class Costs : std::uint8_t { kReference, kRtl };

// How what does not fit comes over the link; docs/fit.md.
enum class Streaming : std::uint8_t {
  kBest,    // whichever of the others answers a request first, prompt and all tokens
  kStream,  // everything, straight to the chip, past the external memory
  kSwap,    // everything, through buffers in the external memory: written and read once more
  kPinned,  // as many stages as fit stay; the others come as with kSwap
};
std::string_view name_of(Streaming streaming);

struct Link {
  base::BytesPerSecond bandwidth{};
  base::Picoseconds latency{};  // of every transfer

  bool operator==(const Link&) const = default;
};

struct Machine {
  std::string name;
  base::Frequency clock;
  std::uint64_t mlen = 64;
  std::uint64_t blen = 4;
  std::uint64_t vlen = 64;
  boards::BoardLatency latency = {};
  Costs costs = Costs::kReference;
  boards::NumberFormat vector_format{boards::kBf16};
  base::Bytes matrix_sram{};  // what there is of it: the settings', unless the chip has less
  base::Bytes vector_sram{};
  base::Bytes on_chip_asked{};                        // what the settings ask for
  std::optional<base::Bytes> on_chip = std::nullopt;  // what the chip has
  base::Bytes capacity{};
  base::BytesPerSecond bandwidth{};
  std::optional<Link> link = std::nullopt;
  std::optional<double> watts = std::nullopt;
  std::uint32_t buffers = 2;
  Streaming streaming = Streaming::kBest;
  Formats formats = {};

  // Least that the accelerator needs on the chip for this model: two tiles, and one block of rows.
  base::Bytes least_on_chip(const boards::Model& model) const;
};

// What the command line says in place of the files.
struct Overrides {
  std::optional<std::uint64_t> mlen = std::nullopt;
  std::optional<std::uint64_t> blen = std::nullopt;
  std::optional<std::uint64_t> vlen = std::nullopt;
  std::optional<base::Frequency> clock = std::nullopt;
  std::optional<base::Bytes> capacity = std::nullopt;
  std::optional<base::BytesPerSecond> bandwidth = std::nullopt;
  std::optional<base::BytesPerSecond> host_bandwidth = std::nullopt;
  std::optional<base::Nanoseconds> link_latency = std::nullopt;
  std::optional<boards::NumberFormat> weights = std::nullopt;
  std::optional<boards::NumberFormat> kv = std::nullopt;
  std::optional<boards::NumberFormat> activations = std::nullopt;
  std::uint32_t buffers = 2;
  Streaming streaming = Streaming::kBest;
  Costs costs = Costs::kReference;
};

// An error says everything that is missing at once, and which option gives it.
base::Result<Machine> machine_of(const boards::Board& board, const boards::SettingsTree& settings,
                                 const Overrides& overrides);

// Why these dimensions make no accelerator; "" where they do.
std::string wrong_dimensions(std::uint64_t mlen, std::uint64_t blen, std::uint64_t vlen);

}  // namespace accelscope::fit
