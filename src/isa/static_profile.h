// How often every instruction of a program is carried out, and what that costs, without running it: loops are
// expanded by arithmetic.
//
// Counting looks at the program once; prices are put on the counts afterwards, so that many boards cost no
// more than one. Pure functions, safe from any thread; they own what they return.
//
//   ACCELSCOPE_TRY(const Counts counts, count(program, LabelKind::kSection));
//   ACCELSCOPE_TRY(const StaticProfile profile, price(counts, latencies, CycleModel::kEmulator));
//   fmt::print("{} instructions, {} cycles\n", profile.total.dynamic, profile.total.cycles);
#pragma once

#include <array>
#include <cstdint>
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

using OpcodeCounts = std::array<std::array<Count, kCostVariants>, table::kOpcodes>;

struct Counts {
  struct Part {
    std::string name;  // "" for instructions without a label
    OpcodeCounts opcodes{};
  };
  // One for every label, in the order in which they first have an instruction.
  std::vector<Part> parts;
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
  std::vector<Part> parts;
};

// Fails when a count does not fit 64 bits: loops inside loops can ask for more than a machine will ever do.
// The program must have been read without errors.
base::Result<Counts> count(const Program& program, LabelKind parts);

base::Result<StaticProfile> price(const Counts& counts, const Latencies& latencies, CycleModel model);

}  // namespace accelscope::isa
