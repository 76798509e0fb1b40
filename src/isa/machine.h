// The accelerator that a program is looked at for: dimensions, on-chip memories, what transfers move, what
// instructions cost and by which clock.
//
// Made of three things, each stronger than the one before it: the settings file (or the shipped settings), a
// board, and what the caller says outright. docs/isa.md has the precedence by field. Plain data and pure
// functions, safe from any thread.
//
//   ACCELSCOPE_TRY(const Machine machine,
//                  make_machine({.settings = &tree, .board = &board, .overrides = {.mlen = 16}}));
//   machine.latencies.systolic_overhead   // the board's
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "boards/board.h"
#include "boards/settings.h"
#include "isa/latencies.h"

namespace accelscope::isa {

struct Machine {
  std::string name;  // of the board, else "settings"
  std::uint64_t mlen = 64;
  std::uint64_t vlen = 64;
  std::uint64_t blen = 4;
  std::uint64_t hlen = 16;
  std::uint64_t broadcast = 4;
  std::uint64_t matrix_tiles = 64;
  std::uint64_t vector_rows = 4'194'304;
  // Of one transfer.
  std::uint64_t matrix_prefetch_rows = 64;
  std::uint64_t vector_prefetch_rows = 4;
  std::uint64_t vector_writeback_rows = 4;
  boards::SettingsPrecision formats = {};
  base::Bytes external_memory{17'179'869'184};
  std::uint64_t max_loop_instructions = 100'000;
  Latencies latencies = {};
  // What transfers cost is known; otherwise they cost nothing in `latencies`.
  bool charges_transfers = false;
  base::Frequency clock = base::Frequency::mhz(1000);
  bool dc_enabled = true;
  std::string latency_profile = {};  // "" for none
};

// What a caller says; nothing where it leaves that to others.
struct MachineOverrides {
  std::optional<std::uint64_t> mlen = std::nullopt;  // also VLEN and the rows of a matrix prefetch
  std::optional<std::uint64_t> vlen = std::nullopt;
  std::optional<std::uint64_t> blen = std::nullopt;  // also the rows of transfers of vectors
  std::optional<std::uint64_t> hlen = std::nullopt;
  std::optional<base::Frequency> clock = std::nullopt;
};

struct MachineSources {
  const boards::SettingsTree* settings = nullptr;  // nullptr: the shipped ones
  const boards::Board* board = nullptr;            // nullptr: none
  MachineOverrides overrides = {};
};

// The largest side of a tile and length of a row; far more than anybody builds.
inline constexpr std::uint64_t kLargestDimension = 65'536;

// Fails where dimensions contradict each other, or a latency profile is not known.
base::Result<Machine> make_machine(const MachineSources& sources);

}  // namespace accelscope::isa
