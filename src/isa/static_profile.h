// How often every instruction of a program is carried out, and what that costs, without running it: loops are
// expanded by arithmetic.
//
// Counting looks at the program once; prices are put on the counts afterwards, so that many boards cost no
// more than one. Pure functions, safe from any thread; they own what they return.
//
//   ACCELSCOPE_TRY(const Counts counts, count(program, {LabelKind::kSection}));
//   ACCELSCOPE_TRY(const StaticProfile profile, price(counts, latencies, CycleModel::kEmulator));
//   fmt::print("{} instructions, {} cycles\n", profile.total.dynamic, profile.total.cycles);
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "isa/instruction_set.h"
#include "isa/latencies.h"
#include "isa/program.h"

namespace accelscope::isa {

// Of one opcode, or of a variant of it that costs something else.
struct Count {
  std::uint64_t in_text = 0;
  std::uint64_t dynamic = 0;

  bool operator==(const Count&) const = default;
};

// Opcode and variant in one number.
constexpr std::size_t kCountKeys = table::kOpcodes * kCostVariants;
constexpr std::size_t count_key(std::uint32_t opcode, CostVariant variant) {
  return opcode * kCostVariants + static_cast<std::size_t>(variant);
}

struct KeyedCount {
  std::uint32_t key = 0;
  Count count;
};

struct Counts {
  struct Part {
    std::string name;  // "" for instructions without a label
    // Few of all that there are: a listing may have a hundred thousand parts.
    std::vector<KeyedCount> counts;
  };
  std::array<Count, kCountKeys> all{};
  // By the kind of their labels; of the kinds asked for, one for every label, in the order in which they
  // first have an instruction.
  std::array<std::vector<Part>, kLabelKinds> parts;
  std::uint64_t loops = 0;
};

struct Cost {
  std::uint64_t in_text = 0;
  std::uint64_t dynamic = 0;
  std::uint64_t cycles = 0;

  bool operator==(const Cost&) const = default;
};

struct StaticProfile {
  struct Part {
    std::string name;
    Cost cost;
  };
  Cost total;
  std::array<Cost, table::kOpcodes> opcodes{};
  std::array<Cost, kUnits> units{};
  std::array<std::vector<Part>, kLabelKinds> parts;  // as those of the counts

  const std::vector<Part>& parts_by(LabelKind kind) const { return parts[static_cast<std::size_t>(kind)]; }
};

// Fails when a count does not fit 64 bits: loops inside loops can ask for more than a machine will ever do.
// The program must have been read without errors.
base::Result<Counts> count(const Program& program, std::initializer_list<LabelKind> parts);
base::Result<Counts> count(const Program& program, std::span<const LabelKind> parts);

base::Result<StaticProfile> price(const Counts& counts, const Latencies& latencies, CycleModel model);

}  // namespace accelscope::isa
