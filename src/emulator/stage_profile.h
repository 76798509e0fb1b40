// The reference's stage profile: how much of a run each stage of a routed mixture of experts took, and each
// pair of token and expert, by the comments of a listing (docs/emulate.md).
//
// Pure functions, safe from any thread; what they return belongs to the caller.
//
//   const StageProfile profile = profile_stages(stage_labels(listing.text()), done);
//   write_stage_profile(profile, output);
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/output.h"
#include "emulator/accounts.h"
#include "emulator/emulation.h"
#include "isa/comment_labels.h"

namespace accelscope::emulator {

struct StageLabel {
  isa::Stage stage = isa::Stage::kOther;
  std::optional<std::uint64_t> pair = std::nullopt;

  bool operator==(const StageLabel&) const = default;
};

// One for each line that begins with a large letter, by the comments above it. Takes any text.
std::vector<StageLabel> stage_labels(std::string_view listing);

using StageAccounts = std::array<InstructionAccount, isa::kStages>;

struct StageProfile {
  std::uint64_t label_count = 0;
  std::uint64_t program_length = 0;
  StageAccounts stages = {};
  std::map<std::uint64_t, StageAccounts> pairs = {};
};

// Instructions without a label count as `other`.
StageProfile profile_stages(std::span<const StageLabel> labels, const Emulation& done);

// With its keys in the documented order, and a line's end.
void write_stage_profile(const StageProfile& profile, base::Output& out);

}  // namespace accelscope::emulator
