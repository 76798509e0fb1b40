#include "jobs/isa_profile.h"

#include <fmt/core.h>

#include <array>

#include "base/date.h"
#include "base/file_names.h"
#include "base/mapped_file.h"
#include "base/output.h"
#include "isa/reference_profile.h"
#include "isa/register_flow.h"

namespace accelscope::jobs {
namespace {

using base::Result;
using isa::LabelKind;

// Kinds of labels that say something about a program: a compiler's start with "other".
std::vector<LabelKind> kinds_of_labels(const isa::Program& program) {
  std::vector<LabelKind> kinds;
  for (const LabelKind kind :
       {LabelKind::kLayer, LabelKind::kSection, LabelKind::kTensor, LabelKind::kStage, LabelKind::kKernel}) {
    const std::vector<isa::LabelChange>& changes = program.labels_of(kind);
    const bool only_other = changes.size() == 1 && program.names.text(changes.front().name) == "other";
    if (!changes.empty() && !only_other) kinds.push_back(kind);
  }
  return kinds;
}

std::uint64_t changed_counters(const isa::Program& program) {
  const isa::RegisterFlow flow(program);
  std::uint64_t count = 0;
  for (std::uint32_t i = 0; i < program.loops.size(); ++i) count += flow.changes_its_counter(i) ? 1 : 0;
  return count;
}

std::uint64_t unknown_words(const isa::StaticProfile& profile) {
  std::uint64_t count = 0;
  for (std::uint32_t opcode = 0; opcode < profile.opcodes.size(); ++opcode)
    if (isa::find_instruction(opcode) == nullptr) count += profile.opcodes[opcode].in_text;
  return count;
}

Result<ProfiledProgram> profile_program(const isa::Program& program, const IsaProfileOptions& options,
                                        const IsaMachines& machines) {
  ProfiledProgram made{.file = program.file,
                       .source_lines = program.source_lines,
                       .comment_lines = program.comment_lines,
                       .loops = program.loops.size()};
  const std::vector<LabelKind> kinds = kinds_of_labels(program);
  ACCELSCOPE_TRY(const isa::Counts counts, isa::count(program, kinds));
  for (const isa::Machine& machine : machines.machines) {
    Result<isa::StaticProfile> priced = isa::price(counts, machine.latencies, options.model);
    if (!priced) {
      priced.error().where = base::Location::of_file(program.file);
      return tl::unexpected(std::move(priced.error()));
    }
    made.profiles.push_back(*std::move(priced));
  }
  made.traffic = isa::traffic_of(program, machines.machines);
  made.changed_counters = changed_counters(program);
  made.unknown_words = unknown_words(made.profiles.front());
  made.breaks = made.profiles.front().opcodes[isa::opcode("C_BREAK")].in_text;
  return made;
}

}  // namespace

Result<IsaProfileOutcome> profile_programs(const IsaProfileOptions& options) {
  ACCELSCOPE_TRY(const IsaMachines machines, load_machines(options.machine));
  IsaProfileOutcome outcome;
  std::vector<ProfiledProgram> programs;
  for (const std::string& path : options.files) {
    ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(path));
    isa::ReadProgram read = isa::read_program(file.path(), file.text(), options.dialect);
    if (!read.diagnostics.ok()) {
      outcome.rejected.push_back(std::move(read.diagnostics));
      continue;
    }
    ACCELSCOPE_TRY(ProfiledProgram made, profile_program(read.program, options, machines));
    made.bytes = file.size();
    made.warnings = read.diagnostics.warnings();
    programs.push_back(std::move(made));
  }
  if (!outcome.rejected.empty()) return outcome;
  outcome.findings = isa_profile_document(programs, machines, options.model);
  findings::Provenance& provenance = outcome.findings.provenance;
  provenance.version = options.version;
  provenance.generated_at = base::iso_date(base::report_time());
  provenance.options.push_back({"dialect", std::string(isa::name_of(options.dialect))});
  for (const ProfiledProgram& one : programs)
    provenance.inputs.push_back({.path = one.file, .format = "isa", .bytes = one.bytes});
  provenance.inputs.insert(provenance.inputs.end(), machines.inputs.begin(), machines.inputs.end());
  return outcome;
}

Result<std::string> reference_profiles(const IsaProfileOptions& options, bool json) {
  ACCELSCOPE_TRY(const IsaMachines machines, load_machines(options.machine));
  base::MemoryOutput out;
  const bool many = options.files.size() * machines.machines.size() > 1;
  std::string_view before = many && json ? "[\n" : "";
  for (const std::string& path : options.files) {
    ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(path));
    for (const isa::Machine& machine : machines.machines) {
      Result<isa::ReferenceProfile> made = isa::reference_profile(file.text(), machine.latencies);
      if (!made) {
        made.error().where = base::Location::of_file(path);
        return tl::unexpected(std::move(made.error()));
      }
      const isa::ReferenceReportFacts facts{.file = std::string(base::file_name(path)),
                                            .board = machine.name,
                                            .clock = machine.clock,
                                            .mlen = machine.mlen,
                                            .dc_enabled = machine.dc_enabled,
                                            .latency_profile = machine.latency_profile};
      out.append(before);
      if (json)
        isa::write_reference_json(*made, facts, out);
      else
        isa::write_reference_text(*made, facts, out);
      before = json ? ",\n" : "\n";
    }
  }
  if (many && json) out.append("]\n");
  return std::string(out.bytes());
}

}  // namespace accelscope::jobs
