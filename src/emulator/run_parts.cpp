#include "emulator/run_parts.h"

#include <array>

#include "isa/instruction_set.h"

namespace accelscope::emulator {
namespace {

using isa::LabelChange;

bool has_path(const Emulation& done) {
  return done.critical_path && done.critical_path->by_instruction.size() == done.by_instruction.size();
}

void add_instruction(RunPart& part, const Emulation& done, std::size_t position) {
  ++part.in_text;
  add(part.account, done.by_instruction[position]);
  if (has_path(done)) part.on_path += done.critical_path->by_instruction[position];
}

}  // namespace

void add(InstructionAccount& sum, const InstructionAccount& one) {
  sum.count += one.count;
  sum.busy += one.busy;
  sum.stalled += one.stalled;
  sum.bytes_read += one.bytes_read;
  sum.bytes_written += one.bytes_written;
}

std::vector<RunPart> parts_by_label(const isa::Program& program, const Emulation& done, isa::LabelKind kind) {
  const std::vector<LabelChange>& changes = program.labels_of(kind);
  std::vector<RunPart> parts;
  if (changes.empty()) return parts;
  constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<std::size_t> part_of_name;
  const auto part_of = [&](base::StringId name) -> RunPart& {
    const auto place = static_cast<std::size_t>(name);
    if (place >= part_of_name.size()) part_of_name.resize(place + 1, kNone);
    if (part_of_name[place] == kNone) {
      part_of_name[place] = parts.size();
      parts.push_back({.name = std::string(program.names.text(name))});
    }
    return parts[part_of_name[place]];
  };
  auto change = changes.begin();
  base::StringId label = base::StringId::kEmpty;
  for (std::size_t i = 0; i < done.by_instruction.size(); ++i) {
    for (; change != changes.end() && change->first <= i; ++change) label = change->name;
    add_instruction(part_of(label), done, i);
  }
  return parts;
}

std::vector<RunPart> parts_by_opcode(const isa::Program& program, const Emulation& done) {
  std::array<RunPart, isa::table::kOpcodes> by_opcode;
  for (std::size_t i = 0; i < done.by_instruction.size(); ++i)
    add_instruction(by_opcode[isa::opcode_of_word(program.words[i])], done, i);
  std::vector<RunPart> parts;
  for (std::uint32_t opcode = 0; opcode < by_opcode.size(); ++opcode) {
    if (by_opcode[opcode].account.count == 0) continue;
    const isa::Instruction* const instruction = isa::find_instruction(opcode);
    parts.push_back(std::move(by_opcode[opcode]));
    parts.back().name = instruction == nullptr ? "" : instruction->mnemonic;
    parts.back().opcode = opcode;
  }
  return parts;
}

InstructionAccount total_account(const Emulation& done) {
  InstructionAccount sum;
  for (const InstructionAccount& one : done.by_instruction) add(sum, one);
  return sum;
}

}  // namespace accelscope::emulator
