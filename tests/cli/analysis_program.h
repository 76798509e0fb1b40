// What the tests of the analysing verbs share: the program and its findings, recordings made up with our own
// writers, and copies of the conformance data.
//
// One test at a time: the stand-ins are told what to do through the environment.
//
//   const ProgramResult result = accelscope({"report", folder.path(), "--json"});
//   EXPECT_TRUE(has_row(findings_in(result), "trust.few_runs"));
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/mapped_file.h"
#include "findings/findings_json.h"
#include "formats/etdump/sample_dumps.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace accelscope::cli {

using formats::etdump::ToyRuns;
using formats::etdump::ToySpeed;
using tests::ProgramResult;

inline ProgramResult accelscope(std::vector<std::string> words, const tests::ProgramOptions& options = {}) {
  words.insert(words.begin(), ACCELSCOPE_PROGRAM);
  return tests::run_program(words, options);
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

inline findings::Findings findings_from(std::string_view json) {
  auto read = findings::read_json(base::MappedFile::from_memory("findings.json", json));
  EXPECT_TRUE(read) << read.error().to_string() << '\n' << json.substr(0, 2000);
  return read ? *std::move(read) : findings::Findings{};
}
// Of a call with --json.
inline findings::Findings findings_in(const ProgramResult& result) {
  return findings_from(result.standard_output);
}

inline const trace::QualityRow* row_in(const findings::Findings& findings, std::string_view id) {
  for (const trace::QualityRow& row : findings.quality.rows())
    if (row.id == id) return &row;
  return nullptr;
}
inline bool has_row(const findings::Findings& findings, std::string_view id) {
  return row_in(findings, id) != nullptr;
}

// Of the first section that is it or a part of it and has the table.
inline std::vector<std::vector<findings::Cell>> rows_of(const findings::Findings& findings,
                                                        std::string_view section, std::string_view table) {
  for (const findings::Section& one : findings.sections)
    if (one.id == section || one.id.starts_with(std::string(section) + "."))
      if (const findings::Table* rows = findings::find_table(one, table)) return rows->rows;
  ADD_FAILURE() << "no table " << table << " in " << section;
  return {};
}

// The value behind a key of the section Metadata; "" when there is none.
inline std::string metadata(const findings::Findings& findings, std::string_view key) {
  for (const auto& row : rows_of(findings, "metadata", "run"))
    if (std::get<std::string>(row[0]) == key) return std::get<std::string>(row[1]);
  return {};
}

inline std::vector<std::string> verdicts(const findings::Findings& findings) {
  std::vector<std::string> texts;
  for (const findings::Section& section : findings.sections)
    for (const findings::Statement& statement : section.statements)
      if (statement.id == "latency.verdict") texts.push_back(statement.text);
  return texts;
}

inline constexpr std::string_view kReportTitles[] = {"Metadata",
                                                     "Latency Comparison",
                                                     "Operator Category Breakdown",
                                                     "Acceleration Analysis",
                                                     "Bottleneck Identification",
                                                     "Portable vs Delegated Operator Analysis",
                                                     "Kernel-Level Insights",
                                                     "Actionable Recommendations"};

// `percent` of the toy's times.
inline std::string toy_etdump(ToySpeed speed, ToyRuns runs = {}, std::uint64_t percent = 100) {
  formats::etdump::Dump dump = formats::etdump::toy_dump(speed, runs);
  for (auto& block : dump.blocks)
    for (auto& event : block.events)
      if (auto* timed = std::get_if<formats::etdump::ProfileEvent>(&event)) {
        timed->start = timed->start * percent / 100;
        timed->end = timed->end * percent / 100;
      }
  return formats::etdump::write_etdump(dump);
}

inline void make_toy(const std::string& path, ToySpeed speed, ToyRuns runs = {},
                     std::uint64_t percent = 100) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  tests::write_file(path, toy_etdump(speed, runs, percent));
}

// A timeline CSV with one execution per value, which is the only thing that tells its end.
inline std::string timeline_csv(const std::vector<std::string>& durations_ms,
                                std::vector<std::string> run_indices = {}) {
  std::string text =
      "model_id,name,type,delegate_backend,start_us,end_us,duration_ms,pct_total,node_id,run_index,block\r\n";
  for (std::size_t i = 0; i < durations_ms.size(); ++i) {
    const std::string run = run_indices.empty() ? std::to_string(i) : run_indices[i];
    const std::string start = std::to_string(i * 1'000'000) + ".0";
    text += "toy,Method::execute,Method::execute,portable," + start + ",," + durations_ms[i] + ",100.0,0," +
            run + ",Execute\r\n";
  }
  return text;
}

// A copy that may be written to, of a folder of the conformance data.
inline std::string fixture_copy(const tests::TemporaryFolder& folder, std::string_view name) {
  namespace fs = std::filesystem;
  const fs::path from = fs::path(ACCELSCOPE_FIXTURES_DIR) / "executorch" / name;
  const fs::path to = folder.file(name);
  fs::copy(from, to, fs::copy_options::recursive);
  fs::permissions(to, fs::perms::owner_all, fs::perm_options::add);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(to))
    fs::permissions(entry.path(), fs::perms::owner_all, fs::perm_options::add);
  return to.string();
}

inline std::string fixture(std::string_view name) {
  return std::string(ACCELSCOPE_FIXTURES_DIR) + "/executorch/" + std::string(name);
}

#define SKIP_WITHOUT_FIXTURES()                                        \
  if (!std::filesystem::exists(ACCELSCOPE_FIXTURES_DIR "/executorch")) \
  GTEST_SKIP() << "the conformance data is not beside this checkout"

}  // namespace accelscope::cli
