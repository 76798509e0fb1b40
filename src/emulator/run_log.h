// What happened when, for pictures: a list of slices that a run writes while it goes.
//
// Plain data, owned by whoever holds it. `sections` keeps one slice a section, `units` one for each matrix,
// vector and memory operation and one for each unbroken run of scalar and control instructions,
// `instructions` one for each instruction.
//
//   for (const LoggedSlice& slice : log.slices) ...
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "isa/instruction.h"

namespace accelscope::emulator {

enum class LogDetail : std::uint8_t { kNone, kSections, kUnits, kInstructions };
// "none", "sections", "units", "instructions".
std::string_view name_of(LogDetail detail);
std::optional<LogDetail> log_detail_named(std::string_view name);
std::span<const std::string_view> log_detail_names();

struct LoggedSlice {
  base::Picoseconds start{};
  base::Picoseconds duration{};
  std::uint32_t pc = 0;                  // of the (first) instruction
  std::uint32_t count = 1;               // instructions in it
  isa::Unit unit = isa::Unit::kControl;  // scalar and control together: kScalar
};

// What a transfer did below the unit: the share of its time that a channel's data bus or the host link was
// busy with it.
struct LoggedActivity {
  std::uint32_t slice = 0;    // of the transfer, in slices
  std::int32_t channel = -1;  // of the memory; -1: the host link
  base::Picoseconds busy{};
};

struct LoggedSection {
  base::Picoseconds start{};
  base::Picoseconds duration{};
  std::uint32_t first_pc = 0;  // where the section's label changed
};

struct RunLog {
  LogDetail detail = LogDetail::kNone;
  std::vector<LoggedSection> sections = {};
  std::vector<LoggedSlice> slices = {};
  std::vector<LoggedActivity> activities = {};
};

}  // namespace accelscope::emulator
