// What instructions cost: tables of cycles by which a run is timed.
//
//   reference  what the reference's emulator charges, by the settings: a unit takes nothing else meanwhile
//   board      the same rules with the board's latencies
//   rtl        measured on the hardware's own description: pipelines that take an operation a cycle, and
//              results that are ready later. What nobody measured follows a rule of ours (docs/emulator.md)
//
// Pure functions, safe from any thread.
//
//   cost_of(word, machine, CostTable::kRtl).latency
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "isa/machine.h"

namespace accelscope::emulator {

enum class CostTable : std::uint8_t { kReference, kRtl, kBoard };
// "reference", "rtl", "board".
std::string_view name_of(CostTable table);
std::optional<CostTable> cost_table_named(std::string_view name);
std::span<const std::string_view> cost_table_names();

// In cycles.
struct Cost {
  std::uint32_t latency = 0;    // from the start until what depends on the result may start
  std::uint32_t occupancy = 0;  // from the start until the unit takes its next operation

  // From the start until nothing of it is left: what it costs where nothing overlaps.
  constexpr std::uint32_t whole() const { return std::max(latency, occupancy); }
  bool operator==(const Cost&) const = default;
};

// Transfers cost nothing here: their time comes from the memory.
Cost cost_of(std::uint32_t word, const isa::Machine& machine, CostTable table);

// Whether the figure of an instruction was measured; of `reference` and `board` all are as stated.
bool is_measured(std::uint32_t opcode, CostTable table);

}  // namespace accelscope::emulator
