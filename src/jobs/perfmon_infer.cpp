#include "jobs/perfmon_infer.h"

#include <fmt/core.h>

#include <filesystem>

#include "base/date.h"
#include "base/file_names.h"
#include "base/mapped_file.h"
#include "findings/columns.h"
#include "formats/perfmon/infer.h"

namespace accelscope::jobs {
namespace {

using base::Result;
using findings::Findings;
using findings::Section;
using formats::perfmon::Fit;
using formats::perfmon::Inference;
using formats::perfmon::Question;
using formats::perfmon::Registers;

std::string_view word_for(Fit fit) {
  switch (fit) {
    case Fit::kFits:
      return "fits";
    case Fit::kDoesNotFit:
      return "does not fit";
    case Fit::kCannotTell:
      return "cannot tell";
  }
  return "cannot tell";
}

void add_question(const Question& question, Section& section) {
  findings::Statement statement{.id = "perfmon.answer",
                                .kind = findings::StatementKind::kVerdict,
                                .priority = findings::Priority::kNote,
                                .subject = question.id,
                                .text = fmt::format("{} {}", question.title, question.answer)};
  // Hypotheses of one question often stand or fall with the same evidence.
  const std::string* said = nullptr;
  for (const formats::perfmon::Hypothesis& hypothesis : question.hypotheses) {
    std::string text = fmt::format("{}: {}", hypothesis.claim, word_for(hypothesis.fit));
    if (said == nullptr || *said != hypothesis.evidence) text += ": " + hypothesis.evidence;
    said = &hypothesis.evidence;
    statement.evidence.push_back({.text = std::move(text)});
  }
  section.statements.push_back(std::move(statement));
}

void add_counts(const Inference& found, Section& section) {
  if (!found.format) return;
  const formats::perfmon::Counters& counters = found.counters;
  findings::Table table{
      .id = "counts",
      .title = "What was counted",
      .columns = {findings::text_column("what", "Words"), findings::count_column("count", "Count"),
                  findings::text_column("meaning", "Meaning")}};
  const auto add = [&](const char* what, std::uint64_t count, const char* meaning) {
    table.rows.push_back({std::string(what), static_cast<std::int64_t>(count), std::string(meaning)});
  };
  add("words", counters.words, "all that were written");
  add("stamps", counters.stamps, "of several words each");
  add("states", counters.states, "that can be dated");
  add("repeated", found.repeated_states, "states that change nothing");
  add("stray", found.stray_states, "states with bits of no pipe");
  add("marks", counters.marks, "that can be dated");
  add("undatable", counters.undatable, "before the first stamp, or after a loss");
  add("unknown", counters.unknown, "control codes without a meaning");
  add("fragments", counters.stamp_fragments, "words of stamps that are not whole");
  add("ends of block", counters.ends_of_block, "");
  add("filler", counters.filler, "");
  add("torn bytes", counters.torn_bytes, "behind the last whole word");
  section.tables.push_back(std::move(table));
}

// What lies beside the bytes, if it does.
Result<std::optional<Registers>> registers_beside(const std::string& path,
                                                  std::vector<findings::Input>& inputs) {
  const std::string beside = formats::perfmon::registers_path(path);
  std::error_code error;
  if (!std::filesystem::exists(beside, error)) return std::optional<Registers>();
  ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(beside));
  inputs.push_back({.path = beside, .format = "perfmon registers", .bytes = file.size()});
  ACCELSCOPE_TRY(const Registers registers, formats::perfmon::read_registers(file));
  return registers;
}

}  // namespace

Result<Findings> infer_perfmon(const PerfmonInferOptions& options) {
  Findings findings{.kind = "perfmon infer"};
  findings.title = options.files.size() == 1 ? std::string(base::file_name(options.files.front()))
                                             : fmt::format("{} buffers", options.files.size());
  std::vector<findings::Input> inputs;
  for (std::size_t i = 0; i < options.files.size(); ++i) {
    const std::string& path = options.files[i];
    ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(path));
    inputs.push_back({.path = path, .format = "perfmon", .bytes = file.size()});
    ACCELSCOPE_TRY(const std::optional<Registers> registers, registers_beside(path, inputs));
    const Inference found = formats::perfmon::infer(file.bytes(), registers);
    Section& section = findings::add_section(findings, fmt::format("file{}", i + 1), path);
    for (const Question& question : found.questions) add_question(question, section);
    add_counts(found, section);
  }
  findings.quality.add({.id = "perfmon.layouts",
                        .severity = trace::Severity::kInfo,
                        .sentence =
                            "The layouts that are tried come from public notes; none of them was seen on "
                            "hardware by this project."});
  findings.provenance.version = options.version;
  findings.provenance.generated_at = base::iso_date(base::report_time());
  findings.provenance.inputs = std::move(inputs);
  return findings;
}

}  // namespace accelscope::jobs
