// A run of a chip, written as files and read back. What a test of that shares.
//
//   const Trace trace = run_of(sample.json);
//   const WrittenRun files = written_run(trace, SwimlaneForm::kCycles);
//   EXPECT_EQ(first_difference(trace, files.read()), "");
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "formats/chip_run/chip_run_files.h"
#include "formats/chip_run/trace_capture.h"
#include "formats/chip_run/trace_graph.h"
#include "formats/chip_swimlane/capture_writer.h"
#include "formats/chip_swimlane/cycle_limits.h"
#include "formats/chip_swimlane/object_writer.h"
#include "formats/deps/deps_writer.h"
#include "formats/gzip/gzip.h"
#include "formats/name_map/name_map_writer.h"
#include "support/trace_text.h"

namespace accelscope::formats::chip_run {

enum class SwimlaneForm : unsigned char { kCycles, kObjects };

inline base::MappedFile in_memory(const std::string& name, const std::string& bytes) {
  return base::MappedFile::from_memory(name, bytes);
}

struct WrittenRun {
  std::string swimlane = {};
  std::string deps = {};   // "" when there are none
  std::string names = {};  // likewise
  trace::QualityTable remarks = {};

  // With its siblings, or without.
  trace::Trace read(bool with_siblings = true) const {
    Siblings siblings;
    if (with_siblings && !deps.empty())
      siblings.deps = deps::read_dependencies(in_memory("deps.json", deps)).value();
    if (with_siblings && !names.empty())
      siblings.names = name_map::read_name_map(in_memory("name_map.json", names)).value();
    auto trace = read_run(in_memory("run.json", swimlane), siblings);
    EXPECT_TRUE(trace) << trace.error().to_string();
    return *std::move(trace);
  }
};

inline WrittenRun written_run(const trace::Trace& trace, SwimlaneForm form) {
  WrittenRun files;
  base::MemoryOutput out;
  auto capture = capture_of(trace);
  EXPECT_TRUE(capture) << capture.error().to_string();
  files.remarks = capture->quality;
  if (form == SwimlaneForm::kCycles) {
    files.remarks.append(chip_swimlane::fit_to_cycles(*capture).value());
    chip_swimlane::write_capture(*capture, out);
  } else {
    files.remarks.append(chip_swimlane::write_objects(*capture, out).value());
  }
  files.swimlane = out.bytes();
  if (has_dependencies(trace)) {
    out.clear();
    deps::write_dependencies(dependencies_of(trace).value(), out);
    files.deps = out.bytes();
  }
  if (has_names(trace)) {
    out.clear();
    name_map::write_name_map(names_of(trace).value(), out);
    files.names = out.bytes();
  }
  return files;
}

inline trace::Trace run_of(const std::string& json, const Siblings& siblings = {}) {
  auto trace = read_run(in_memory("run.json", json), siblings);
  EXPECT_TRUE(trace) << trace.error().to_string();
  return *std::move(trace);
}

// Lines that both texts have after `shown` made them alike; "" when they are the same, else the first two
// that are not.
using Shown = std::function<std::string(const std::string&)>;
inline std::string first_difference(const std::vector<std::string>& a, const std::vector<std::string>& b,
                                    const Shown& shown) {
  const auto kept = [&](const std::vector<std::string>& lines) {
    std::vector<std::string> result;
    for (const std::string& line : lines)
      if (std::string text = shown(line); !text.empty()) result.push_back(std::move(text));
    return result;
  };
  const std::vector<std::string> left = kept(a);
  const std::vector<std::string> right = kept(b);
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    const std::string& l = i < left.size() ? left[i] : "nothing";
    const std::string& r = i < right.size() ? right[i] : "nothing";
    if (l != r) return l + "\nand\n" + r;
  }
  return "";
}

// Swimlanes of the conformance data; none when they are not there.
inline std::vector<std::string> fixture_swimlanes() {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::string(ACCELSCOPE_FIXTURES_DIR) + "/swimlane/", ignored))
    if (entry.path().filename().string().starts_with("chip_swimlane_records.json"))
      paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// With dependencies and names, which are written again; what the host and the monitors say of it is not.
inline trace::Trace fixture_run(const std::string& path) {
  SiblingSearch search = search_siblings(path, {});
  for (const SiblingKind kind :
       {SiblingKind::kPmu, SiblingKind::kScopeStats, SiblingKind::kHostPhases, SiblingKind::kLog})
    path_of(search.found, kind).clear();
  base::MappedFile file = base::MappedFile::open(path).value();
  if (gzip::looks_like_gzip(file.text())) file = gzip::gunzip(file).value();
  auto trace = read_run(file, read_siblings(search).value());
  EXPECT_TRUE(trace) << trace.error().to_string();
  return *std::move(trace);
}

}  // namespace accelscope::formats::chip_run
