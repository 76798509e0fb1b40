// What the instructions of a run did, summed by the parts of its program: by label, and by opcode.
//
// Pure functions, safe from any thread; sums over all parts equal those over all instructions.
//
//   for (const RunPart& part : parts_by_label(program, done, isa::LabelKind::kSection)) show(part.name);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "emulator/accounts.h"
#include "emulator/emulation.h"
#include "isa/program.h"

namespace accelscope::emulator {

struct RunPart {
  std::string name = {};     // "" for instructions without a label
  std::uint32_t opcode = 0;  // of parts_by_opcode
  std::uint64_t in_text = 0;
  InstructionAccount account = {};
  base::Picoseconds on_path{};  // of the critical path, where that is known by instruction

  bool operator==(const RunPart&) const = default;
};

// In the order in which the labels first appear; none where the program has no labels of this kind.
std::vector<RunPart> parts_by_label(const isa::Program& program, const Emulation& done, isa::LabelKind kind);
// Those that were carried out, by opcode.
std::vector<RunPart> parts_by_opcode(const isa::Program& program, const Emulation& done);

void add(InstructionAccount& sum, const InstructionAccount& one);
// All instructions together.
InstructionAccount total_account(const Emulation& done);

}  // namespace accelscope::emulator
