#include <fmt/format.h>

#include "emulator/run_parts.h"
#include "isa/instruction_set.h"
#include "jobs/emulate.h"
#include "jobs/emulate_document.h"

namespace accelscope::jobs {
namespace {

using emulator::CostTable;
using trace::Severity;

class Doubts {
 public:
  Doubts(trace::QualityTable& quality, const isa::Program& program, const EmulatedRun& run)
      : quality_(quality), program_(program), run_(run) {}

  void add_run();
  void add_costs();
  void add_identities();

 private:
  void add(std::string id, Severity severity, std::string sentence) {
    quality_.add({.id = std::move(id),
                  .severity = severity,
                  .sentence = std::move(sentence),
                  .first_place = base::Location::of_file(program_.file)});
  }

  trace::QualityTable& quality_;
  const isa::Program& program_;
  const EmulatedRun& run_;
};

std::string as_sentence(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  if (!text.ends_with('.')) text += '.';
  return text;
}

void Doubts::add_run() {
  if (run_.done.partial)
    add("emulation.partial", Severity::kError,
        fmt::format("The run on {} was stopped after {} instructions, before the program's end: all figures "
                    "are of that part.",
                    name_of(run_), run_.done.instructions));
  if (run_.rules == emulator::Rules::kCompat)
    add("emulation.compat", Severity::kInfo,
        "Compatible with the reference, wrong or not: what it lets pass is carried out as it does "
        "(docs/emulator.md has the list).");
  for (const std::string& note : run_.done.notes) add("emulation.note", Severity::kInfo, as_sentence(note));
  for (const std::string& warning : run_.memory.warnings)
    add("emulation.memory_setup", Severity::kWarning, as_sentence(warning));
}

void Doubts::add_costs() {
  std::vector<std::string> unmeasured;
  for (const emulator::RunPart& part : parts_by_opcode(program_, run_.done))
    if (!emulator::is_measured(part.opcode, run_.costs)) unmeasured.push_back(part.name);
  if (!unmeasured.empty())
    add("emulation.unmeasured", Severity::kWarning,
        fmt::format("Nobody measured what {} cost by the table `{}`: a rule of ours stands in "
                    "(docs/emulator.md).",
                    fmt::join(unmeasured, ", "), emulator::name_of(run_.costs)));
}

void Doubts::add_identities() {
  if (!accounts_close(run_.done.accounts))
    add("emulation.accounts", Severity::kError,
        fmt::format("On {} the times of a unit do not sum to the latency: a defect of this program, please "
                    "report it.",
                    name_of(run_)));
  const std::uint64_t counted = total_account(run_.done).count;
  if (counted != run_.done.instructions)
    add("emulation.counts", Severity::kError,
        fmt::format("{} instructions were carried out and {} are in the accounts: a defect of this program, "
                    "please report it.",
                    run_.done.instructions, counted));
}

}  // namespace

void add_run_doubts(findings::Findings& findings, const isa::Program& program, const EmulatedRun& run) {
  Doubts doubts(findings.quality, program, run);
  doubts.add_run();
  doubts.add_costs();
  doubts.add_identities();
}

}  // namespace accelscope::jobs
