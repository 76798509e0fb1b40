// A trace of a chip's run, written as swimlane, dependencies and names, reads back to the same trace. Every
// deliberate difference is named here with its reason.
#include <gtest/gtest.h>

#include "formats/chip_run/helpers.h"
#include "formats/chip_run/written_run.h"
#include "formats/chip_swimlane/object_limits.h"
#include "formats/chip_swimlane/sample_captures.h"

namespace accelscope::formats::chip_run {
namespace {

using chip_swimlane::SampleCapture;
using trace::Ticks;
using trace::Trace;

std::string as_it_is(const std::string& line) {
  return line;
}

// Of rows of cycles that were written from an old file.
std::string of_old_file_in_cycles(const std::string& line) {
  // Which generation the file is of is what changes, and only this one lets readers tell the chip.
  if (line.starts_with("fact swimlane format") || line.starts_with("fact device")) return "";
  // Totals of the orchestrator are in old files only.
  if (line.starts_with("fact orchestrator ")) return "";
  // Edges that old files list with their producers have no reason in deps.json.
  if (line.starts_with("edge ") && line.ends_with(" fanout")) return line.substr(0, line.size() - 6);
  return line;
}

// The same without what only the dependencies tell. Level 1 of old files has functions, but no edges, so
// there is no deps.json; and their level 4 here submits one task of four, so deps.json is taken for another
// run's.
std::string of_old_file_alone(const std::string& line) {
  if (line.starts_with("edge ") || line.starts_with("fact dependencies recorded")) return "";
  return of_old_file_in_cycles(line);
}

TEST(WriteBack, CyclesOfEverySampleAreTheSameTrace) {
  for (const SampleCapture& sample : chip_swimlane::sample_captures()) {
    SCOPED_TRACE(sample.name);
    const Trace trace = run_of(sample.json);
    const WrittenRun files = written_run(trace, SwimlaneForm::kCycles);
    const bool old = sample.era != chip_swimlane::Era::kRawCycles;
    const bool alone = old && (sample.level == 1 || sample.level == 4);
    const Trace again = files.read(!alone);
    EXPECT_EQ(first_difference(tests::trace_text(trace, {.functions = !alone}),
                               tests::trace_text(again, {.functions = !alone}),
                               alone ? of_old_file_alone
                               : old ? of_old_file_in_cycles
                                     : as_it_is),
              "");
    for (const trace::QualityRow& row : again.quality().rows())
      ADD_FAILURE() << row.id << ": " << row.sentence;
  }
}

TEST(WriteBack, CyclesOfEveryFixtureAreTheSameTrace) {
  const std::vector<std::string> paths = fixture_swimlanes();
  if (paths.empty()) GTEST_SKIP() << "no conformance data: set ACCELSCOPE_FIXTURES to run this test";
  for (const std::string& path : paths) {
    SCOPED_TRACE(path);
    const Trace trace = fixture_run(path);
    const WrittenRun files = written_run(trace, SwimlaneForm::kCycles);
    EXPECT_TRUE(files.remarks.rows().empty());
    EXPECT_EQ(first_difference(tests::trace_text(trace), tests::trace_text(files.read()), as_it_is), "");
  }
}

// Times count from the first one that the file has, in nanoseconds.
tests::TraceTextOptions from_zero(const Trace& trace) {
  const chip_swimlane::Capture capture = capture_of(trace).value();
  trace::QualityTable ignored;
  return {.zero = Ticks{chip_swimlane::first_time(capture, chip_swimlane::object_version(capture, ignored))},
          .in_nanoseconds = true};
}

// Without what files of task objects have no place for.
std::string of_objects(const std::string& line) {
  // The clock counts nanoseconds; the level of a run that the host orchestrates is that of the device's part.
  for (const std::string_view start :
       {"clock ", "relation ", "fact swimlane format", "fact device", "fact swimlane level",
        // The host's lanes, and how much of them is there.
        "track host ", "track orchestrator of host", "track uploads ", "slice uploads ", "accounting host ",
        // Readers have the orchestrator's totals from files of this kind.
        "fact orchestrator ",
        // The first and last moment, which may be a receive.
        "coverage "})
    if (line.starts_with(start)) return "";
  std::string shown = line;
  // No receives.
  if (const std::size_t at = shown.find(" receive@"); at != std::string::npos)
    shown.erase(at, std::min(shown.find(' ', at + 1), shown.size()) - at);
  // Tasks that neither ran nor left a marker: readers take them for allocations in today's files only.
  if (shown.starts_with("task "))
    if (const std::size_t at = shown.find(" allocation "); at != std::string::npos)
      shown.replace(at, 12, " unknown ");
  return shown;
}

// Submits of the host are called as those of the device, which a file of objects has.
std::string of_objects_of_host(const std::string& line) {
  return line.starts_with("slice orchestrator ") ? "" : of_objects(line);
}

void expect_objects_read_back(const Trace& trace, bool with_siblings) {
  const Trace again = written_run(trace, SwimlaneForm::kObjects).read(with_siblings);
  const bool by_host = trace::chip_run(trace).orchestrated_on_host;
  EXPECT_EQ(first_difference(tests::trace_text(trace, from_zero(trace)),
                             tests::trace_text(again, {.in_nanoseconds = true}),
                             by_host ? of_objects_of_host : of_objects),
            "");
  for (const trace::QualityRow& row : again.quality().rows())
    EXPECT_EQ(row.severity, trace::Severity::kInfo) << row.id << ": " << row.sentence;
}

TEST(WriteBack, ObjectsOfEverySampleAreTheSameTraceFromZero) {
  for (const SampleCapture& sample : chip_swimlane::sample_captures()) {
    SCOPED_TRACE(sample.name);
    // Objects have functions and edges by themselves.
    expect_objects_read_back(run_of(sample.json), false);
  }
}

TEST(WriteBack, ObjectsOfEveryFixtureAreTheSameTraceFromZero) {
  const std::vector<std::string> paths = fixture_swimlanes();
  if (paths.empty()) GTEST_SKIP() << "no conformance data: set ACCELSCOPE_FIXTURES to run this test";
  for (const std::string& path : paths) {
    SCOPED_TRACE(path);
    expect_objects_read_back(fixture_run(path), true);
  }
}

TEST(WriteBack, ObjectsListEveryEdgeOfEveryFixture) {
  const std::vector<std::string> paths = fixture_swimlanes();
  if (paths.empty()) GTEST_SKIP() << "no conformance data: set ACCELSCOPE_FIXTURES to run this test";
  for (const std::string& path : paths) {
    const Trace trace = fixture_run(path);
    const trace::ChipRun chip = trace::chip_run(trace);
    if (chip.level < 2) continue;
    SCOPED_TRACE(path);
    const WrittenRun files = written_run(trace, SwimlaneForm::kObjects);
    const Trace again = files.read(false);
    std::uint64_t left_out = 0;
    for (const trace::QualityRow& row : files.remarks.rows())
      if (row.sentence.starts_with("Dependencies that no dispatch")) left_out += row.count;
    EXPECT_EQ(again.task_edges().size() + left_out, trace.task_edges().size());
    EXPECT_EQ(again.quality().count("chip_run.edge_of_unknown_task"), 0U);
  }
}

}  // namespace
}  // namespace accelscope::formats::chip_run
