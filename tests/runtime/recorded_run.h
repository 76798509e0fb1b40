// A run that was recorded, read back: its rows, its trace, what must hold in it.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "accelscope/dfx_flags.h"
#include "analysis/chip/invariants.h"
#include "base/mapped_file.h"
#include "formats/chip_run/recording_reader.h"
#include "runtime/runs.h"
#include "support/temporary_folder.h"

namespace accelscope::runtime {

struct RecordedRun {
  RunOutcome outcome = {};
  formats::chip_run::Recording recording = {};
  std::optional<trace::Trace> trace_read = {};
  std::string bytes = {};  // of the file

  const trace::Trace& trace() const { return *trace_read; }
  const formats::chip_swimlane::CoreRows& core(std::size_t number) const {
    return recording.capture.cores[number];
  }
};

inline RecordedRun record_run(const Graph& graph, const device::Chip& chip, RunOptions options,
                              const device::Costs& costs = {},
                              const KernelRegistry& kernels = test_kernels()) {
  const tests::TemporaryFolder folder;
  options.recording.path = folder.path() + "/run.astrace";
  RecordedRun recorded;
  recorded.outcome = run_small(graph, chip, options, costs, kernels);
  EXPECT_TRUE(recorded.outcome.recording.file);
  base::Result<base::MappedFile> file = base::MappedFile::open(options.recording.path);
  EXPECT_TRUE(file);
  if (!file) return recorded;
  recorded.bytes.assign(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
  auto rows = formats::chip_run::read_recorded_rows(*file);
  auto trace = formats::chip_run::read_recording(*file);
  EXPECT_TRUE(rows && trace);
  if (rows) recorded.recording = std::move(*rows);
  if (trace) recorded.trace_read.emplace(std::move(*trace));
  return recorded;
}

// Nothing is violated, and what these names stand for was there to be checked.
inline void expect_invariants(const trace::Trace& trace, const std::vector<std::string>& checked) {
  const trace::ChipRun chip = trace::chip_run(trace);
  std::vector<std::string> held;
  for (const analysis::chip::Invariant& invariant :
       analysis::chip::check_invariants(trace, chip, analysis::chip::task_times(trace, chip))) {
    EXPECT_NE(invariant.state, analysis::chip::InvariantState::kViolated)
        << invariant.id << ": " << invariant.first_violation;
    if (invariant.state == analysis::chip::InvariantState::kHolds) held.push_back(invariant.id);
  }
  for (const std::string& id : checked)
    EXPECT_NE(std::find(held.begin(), held.end(), id), held.end()) << id << " was not checked";
}

// Tasks of every kind, in scopes, over buffers that they make.
inline Graph graph_of_everything(int rounds) {
  GraphBuilder build("everything");
  const auto flag = build.buffer("flag", DataType::kInt32, 2);
  const auto sum = build.buffer("sum", DataType::kFloat32, 64);
  const auto twice = build.function({.name = "twice", .kernel = "double", .arguments = {0, 1}});
  const auto more = build.function({.name = "more", .kernel = "add_one", .arguments = {1, 1}});
  build.vector("raise").inout(row(flag, 1));
  for (int i = 0; i < rounds; ++i) {
    const auto made = build.buffer("made" + std::to_string(i), DataType::kFloat32, 64);
    build.begin_scope("round");
    build.vector("add_one").in(row(sum, 64)).make(row(made, 64)).scalar(2'000);
    build.cube("double").inout(row(made, 64)).scalar(2'000).early();
    build.begin_scope("inner");
    build.task({twice, more, kNoKernel}).inout(row(made, 32)).inout(row(made, 32, 32)).scalar(1'000);
    build.vector("add_one").inout(row(made, 64)).blocks(9).scalar(500);
    build.end_scope();
    if (i % 3 == 0) build.vector("add_one").inout(row(made, 64)).blocks(4).sync_start();
    build.dummy().in(row(made, 64));
    build.vector("add_one")
        .in(row(made, 64))
        .inout(row(sum, 64))
        .when(row(flag, 1, static_cast<std::uint64_t>(i % 2)));
    build.end_scope();
  }
  return build.finish();
}

}  // namespace accelscope::runtime
