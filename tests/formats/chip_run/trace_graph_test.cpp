// Dependencies and names of a trace again.
#include "formats/chip_run/trace_graph.h"

#include <gtest/gtest.h>

#include "formats/chip_run/helpers.h"
#include "formats/chip_run/written_run.h"
#include "support/chip_sketch.h"

namespace accelscope::formats::chip_run {
namespace {

using chip_swimlane::Capture;
using deps::Reason;
using trace::Trace;

// Two clusters: cubes 0 and 1, vectors 2 to 5.
struct GraphRun {
  Capture capture = empty_capture(2, 4, 2);
  Siblings siblings = {};

  GraphRun() {
    siblings.deps = deps::Dependencies{};
    siblings.names = name_map::NameMap{};
  }
  void on(std::size_t core, std::uint64_t task) {
    const std::int64_t start = 100 * static_cast<std::int64_t>(++count_);
    run(capture, core,
        {.task = task, .start = start, .end = start + 50, .dispatch = start - 20, .finish = start + 60});
  }
  Trace trace() const { return trace_of(capture, siblings); }

 private:
  int count_ = 0;
};

void expect_same_graph(const Trace& trace) {
  const WrittenRun files = written_run(trace, SwimlaneForm::kCycles);
  const Trace again = files.read();
  EXPECT_EQ(first_difference(tests::trace_text(trace), tests::trace_text(again),
                             [](const std::string& line) { return line; }),
            "");
  for (const trace::QualityRow& row : again.quality().rows())
    EXPECT_EQ(row.severity, trace::Severity::kInfo) << row.id << ": " << row.sentence;
}

TEST(DependenciesOf, FindsKernelsByTheCoresThatRanThem) {
  GraphRun run;
  run.siblings.deps->tasks = {{.id = 1, .kernels = {4, 5, 6}},
                              {.id = 2, .kernels = {-1, -1, 6}, .blocks = 4},
                              {.id = 3, .kernels = {-1, 5, 5}},
                              {.id = 4, .kernels = {4, -1, -1}, .early_dispatch = true},
                              {.id = 5, .kernels = {4, -1, 6}, .manual_scope = true}};
  run.siblings.deps->edges = {
      {1, 2, Reason::kCreator | Reason::kTensorMap}, {2, 3, Reason::kExplicit}, {3, 4, Reason::kOther}};
  for (const std::size_t core : {0U, 2U, 3U}) run.on(core, 1);
  for (const std::size_t core : {3U, 5U}) run.on(core, 2);
  for (const std::size_t core : {4U, 5U}) run.on(core, 3);
  run.on(1, 4);
  for (const std::size_t core : {0U, 2U}) run.on(core, 5);
  const Trace trace = run.trace();
  const deps::Dependencies graph = dependencies_of(trace).value();
  ASSERT_EQ(graph.tasks.size(), 5U);
  EXPECT_EQ(graph.tasks[0].kernels, (std::array<std::int32_t, 3>{4, 5, 6}));
  EXPECT_EQ(graph.tasks[1].kernels, (std::array<std::int32_t, 3>{-1, 6, -1})) << "one for both vector cores";
  EXPECT_EQ(graph.tasks[2].kernels, (std::array<std::int32_t, 3>{-1, 5, 5})) << "two vector cores together";
  EXPECT_EQ(graph.tasks[3].kernels, (std::array<std::int32_t, 3>{4, -1, -1}));
  EXPECT_TRUE(graph.tasks[3].early_dispatch);
  EXPECT_TRUE(graph.tasks[4].manual_scope);
  EXPECT_EQ(graph.edges[0].reasons, Reason::kCreator | Reason::kTensorMap);
  EXPECT_EQ(graph.edges[2].reasons, Reason::kOther);
  expect_same_graph(trace_of(run.capture, run.siblings));
}

TEST(DependenciesOf, KeepsFunctionsOfTasksThatDidNotRun) {
  GraphRun run;
  run.siblings.names->functions = {{4, "CUBE"}, {5, "ADD"}, {6, "MUL"}};
  run.siblings.deps->tasks = {{.id = 1, .kernels = {4, 5, 6}},  // names them all
                              {.id = 2, .kernels = {-1, 5, -1}},
                              {.id = 3, .kernels = {4, -1, -1}},
                              {.id = 4, .kernels = {4, 5, 6}},
                              {.id = 5}};
  for (const std::size_t core : {0U, 2U, 3U}) run.on(core, 1);
  const Trace trace = run.trace();
  const deps::Dependencies graph = dependencies_of(trace).value();
  for (std::size_t task = 0; task < 5; ++task)
    EXPECT_EQ(graph.tasks[task].kernels, run.siblings.deps->tasks[task].kernels) << task;
  expect_same_graph(trace);
}

// A file that lists many tasks of which it knows nothing is taken for another run's.
TEST(DependenciesOf, DoesNotListTasksThatRanAndNobodyDescribed) {
  tests::ChipSketch chip(0, 1);
  chip.dependencies_recorded();
  chip.run(0, chip.task(9, "task", "AIV"), {.start = 5, .end = 9});
  chip.run(0, chip.task(10, "ADD", "AIV"), {.start = 15, .end = 19});
  chip.task(11, "", "dummy");
  const deps::Dependencies graph = dependencies_of(chip.finish()).value();
  ASSERT_EQ(graph.tasks.size(), 2U);
  EXPECT_EQ(graph.tasks[0].id, 10U);
  EXPECT_EQ(graph.tasks[0].kernels, (std::array<std::int32_t, 3>{-1, 0, -1}));
  EXPECT_EQ(graph.tasks[1].id, 11U) << "nothing else would name it";
}

TEST(DependenciesOf, IsAnErrorWhereNothingWasRecorded) {
  const auto graph = dependencies_of(trace_of(empty_capture(1, 1)));
  ASSERT_FALSE(graph);
  EXPECT_NE(graph.error().message.find("were not recorded"), std::string::npos);
  const auto names = names_of(trace_of(empty_capture(1, 1)));
  ASSERT_FALSE(names);
  EXPECT_NE(names.error().message.find("have no names"), std::string::npos);
}

TEST(NamesOf, AreThoseOfTheFile) {
  GraphRun run;
  run.siblings.names->functions = {{0, "ADD"}, {1, "ADD"}, {2, "MUL"}, {7, "never called"}};
  run.siblings.names->orchestrator = "main";
  run.siblings.deps->tasks = {{.id = 1, .kernels = {-1, 0, 1}}, {.id = 2, .kernels = {-1, 2, 3}}};
  for (const std::size_t core : {2U, 3U}) run.on(core, 1);
  for (const std::size_t core : {2U, 3U}) run.on(core, 2);
  const Trace trace = run.trace();
  const name_map::NameMap names = names_of(trace).value();
  EXPECT_EQ(names.functions, run.siblings.names->functions);
  EXPECT_EQ(names.orchestrator, "main");
  expect_same_graph(trace);
}

}  // namespace
}  // namespace accelscope::formats::chip_run
