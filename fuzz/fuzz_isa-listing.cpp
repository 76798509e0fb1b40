// Whatever the text, the assembler answers with errors that have a line and a message, or with words that
// come back equal from their disassembly; and what can be read can be profiled and linted.
#include <cstdint>
#include <string_view>

#include "base/output.h"
#include "isa/assembler.h"
#include "isa/disassembler.h"
#include "isa/lint.h"
#include "isa/program.h"
#include "isa/reference_profile.h"
#include "isa/static_profile.h"
#include "isa/traffic.h"
#include "require.h"

namespace {

namespace isa = accelscope::isa;

// Loops nest and labels follow each other.
void check_program(std::string_view text, isa::Dialect dialect) {
  const isa::ReadProgram read = isa::read_program("fuzzed-input", text, dialect);
  const isa::Program& program = read.program;
  require(program.lines.size() == program.words.size(), "every instruction has a line");
  for (const auto& changes : program.labels)
    for (std::size_t i = 0; i < changes.size(); ++i) {
      require(changes[i].first <= program.words.size(), "labels are of the program");
      require(i == 0 || changes[i - 1].first < changes[i].first, "labels follow each other");
    }
  if (!read.diagnostics.ok()) return;
  for (const isa::Loop& loop : program.loops) {
    require(loop.count > 0 && loop.start < loop.end && loop.end < program.words.size(), "loops are closed");
    if (loop.parent != isa::kNoLoop)
      require(program.loops[loop.parent].start < loop.start && loop.end < program.loops[loop.parent].end,
              "loops are inside their parents");
  }
}

// Parts add up to the whole, and what the linter finds has a line and a rule.
void check_analyses(std::string_view text, isa::Dialect dialect, const isa::Machine& machine) {
  const isa::ReadProgram read = isa::read_program("fuzzed-input", text, dialect);
  if (!read.diagnostics.ok()) return;
  const auto counts = isa::count(read.program, {isa::LabelKind::kSection, isa::LabelKind::kKernel});
  if (counts) {
    const auto profile = isa::price(*counts, machine.latencies, isa::CycleModel::kEmulator);
    std::uint64_t cycles = 0;
    for (std::size_t i = 0; profile && i < profile->parts_by(isa::LabelKind::kKernel).size(); ++i)
      cycles += profile->parts_by(isa::LabelKind::kKernel)[i].cost.cycles;
    require(!profile || cycles == profile->total.cycles, "parts add up to the whole");
    const isa::TransferTraffic moved = isa::traffic_of(read.program, {&machine, 1}).front().total();
    require(moved.proven_transfers <= moved.transfers, "certain transfers are transfers");
  }
  const isa::Diagnostics found = isa::lint("fuzzed-input", text, dialect, machine);
  for (const isa::Diagnostic& one : found.in_order())
    require(one.line > 0 && one.line <= read.program.source_lines && !one.message.empty(),
            "a finding has a line and a message");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const isa::Dialect dialect : {isa::Dialect::kStrict, isa::Dialect::kReference}) {
    const isa::Assembly made = isa::assemble("fuzzed-input", text, dialect);
    for (const isa::Diagnostic& one : made.diagnostics.in_order())
      require(one.line > 0 && !one.message.empty(), "a diagnostic has a line and a message");
    require(made.diagnostics.to_string().find('\0') == std::string::npos, "messages are text");
    accelscope::base::MemoryOutput listing;
    isa::disassemble(listing, made.words, dialect);
    const isa::Assembly back = isa::assemble("disassembled", listing.bytes(), dialect);
    require(back.diagnostics.ok(), "a disassembly has no errors");
    require(back.words == made.words, "words come back equal from their disassembly");
    check_program(text, dialect);
    for (const std::uint64_t mlen : {std::uint64_t{16}, std::uint64_t{64}}) {
      const auto machine = isa::make_machine({.overrides = {.mlen = mlen}});
      require(machine.has_value(), "there is such a machine");
      check_analyses(text, dialect, *machine);
    }
  }
  (void)isa::reference_profile(text, {});
  return 0;
}
