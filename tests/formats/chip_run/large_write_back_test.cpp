// Runs as large as they get: what writing takes grows with the run, and not faster.
#include <gtest/gtest.h>

#include "formats/chip_run/helpers.h"
#include "formats/chip_run/written_run.h"
#include "formats/chip_swimlane/sample_captures.h"

namespace accelscope::formats::chip_run {
namespace {

using chip_swimlane::Capture;
using trace::Trace;

TEST(LargeWriteBack, AMillionTasksInBothForms) {
  base::MemoryOutput out;
  chip_swimlane::write_synthetic_run({.tasks = 1'000'000, .level = 4}, out);
  const Trace trace = run_of(std::string(out.bytes()));
  const WrittenRun cycles = written_run(trace, SwimlaneForm::kCycles);
  EXPECT_TRUE(cycles.swimlane == out.bytes()) << "the same rows in the same order";
  const Trace again = written_run(trace, SwimlaneForm::kObjects).read();
  ASSERT_EQ(again.slices().size(), trace.slices().size());
  for (std::uint32_t row = 0; row < again.slices().size(); ++row)
    ASSERT_EQ(again.slices().duration[row].value, trace.slices().duration[row].value * 20) << row;
}

// If every part of a task listed all its consumers, this would be 2 500 000 000 of them.
TEST(LargeWriteBack, ATaskOfManyPartsWithManyConsumers) {
  constexpr std::uint64_t kMany = 50'000;
  Capture capture = empty_capture(0, 1, 2);
  capture.cores[0].type = chip_swimlane::CoreType::kVector;
  Siblings siblings;
  siblings.deps = graph_of({{.id = 0, .kernels = {-1, 1, -1}, .blocks = kMany}});
  for (std::uint64_t i = 0; i < 2 * kMany; ++i) {
    const auto start = static_cast<std::int64_t>(100 + i * 10);
    const std::uint64_t task = i < kMany ? 0 : i;
    run(capture, 0,
        {.task = task, .start = start, .end = start + 5, .dispatch = start - 1, .finish = start + 6});
    if (task == 0) continue;
    siblings.deps->tasks.push_back({.id = task, .kernels = {-1, 1, -1}});
    siblings.deps->edges.push_back({0, task, deps::Reason::kTensorMap});
  }
  const Trace trace = trace_of(std::move(capture), siblings);
  const WrittenRun files = written_run(trace, SwimlaneForm::kObjects);
  EXPECT_LT(files.swimlane.size(), 60'000'000U);
  EXPECT_EQ(files.read(false).task_edges().size(), kMany);
  EXPECT_EQ(files.read(true).task_edges().size(), kMany);
}

}  // namespace
}  // namespace accelscope::formats::chip_run
