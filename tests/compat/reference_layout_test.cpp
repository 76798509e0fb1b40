// The reference's layout of small runs drawn by hand: what it must get right where the reference does not,
// and what no capture at hand shows.
#include "compat/reference_layout.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <memory>

#include "compat/reference_labels.h"
#include "support/chip_sketch.h"

namespace accelscope::compat {
namespace {

namespace dom = simdjson::dom;
using tests::ChipSketch;
using trace::TaskId;

class Picture {
 public:
  explicit Picture(const trace::Trace& trace, const ReferenceLayoutOptions& options = {}) {
    base::MemoryOutput out;
    const auto written = write_reference_layout(trace, out, options);
    EXPECT_TRUE(written) << written.error().to_string();
    document_ = parser_->parse(simdjson::padded_string(out.bytes()));
  }

  // Events of this phase and name.
  std::vector<dom::element> events(std::string_view phase, std::string_view name) const {
    std::vector<dom::element> found;
    dom::array all;
    EXPECT_FALSE(document_["traceEvents"].get(all));
    for (const dom::element event : all)
      if (std::string_view(event["ph"]) == phase && std::string_view(event["name"]) == name)
        found.push_back(event);
    return found;
  }
  // The id of the only bar that starts here.
  std::uint64_t bar_at(int process, double ts) const {
    std::vector<std::uint64_t> ids;
    dom::array all;
    EXPECT_FALSE(document_["traceEvents"].get(all));
    for (const dom::element event : all)
      if (std::string_view(event["ph"]) == "X" && std::int64_t{event["pid"]} == process &&
          double{event["ts"]} == ts)
        ids.push_back(event["id"]);
    EXPECT_EQ(ids.size(), 1U) << process << " at " << ts;
    return ids.empty() ? 0 : ids.front();
  }

 private:
  std::unique_ptr<dom::parser> parser_ = std::make_unique<dom::parser>();
  dom::element document_;
};

std::vector<std::int64_t> numbers(const std::vector<dom::element>& events, std::string_view key) {
  std::vector<std::int64_t> values;
  for (const dom::element& event : events) values.push_back(event[key]);
  return values;
}

TEST(ReferenceLayout, IsOnlyForChips) {
  tests::TraceSketch sketch;
  const trace::Trace trace = sketch.finish();
  base::MemoryOutput out;
  const auto written = write_reference_layout(trace, out);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, base::ErrorCode::kUsage);
}

TEST(ReferenceLayout, BindsAnArrowToTheBlockItBelongsTo) {
  ChipSketch chip(0, 1);
  const TaskId producer = chip.task(0, "ADD", "AIV");
  const TaskId split = chip.task(1, "MUL", "AIV", 2);
  chip.edge(producer, split);
  chip.run(0, producer, {.dispatch = 1000, .receive = 2000, .start = 3000, .end = 4000, .finish = 5000});
  chip.run(0, split, {.dispatch = 6000, .receive = 7000, .start = 8000, .end = 9000, .finish = 10'000});
  chip.run(0, split,
           {.dispatch = 11'000, .receive = 12'000, .start = 13'000, .end = 14'000, .finish = 15'000});
  const Picture picture(chip.finish());
  const auto ends = picture.events("f", "dependency");
  ASSERT_EQ(ends.size(), 2U);  // one in each view
  // Times begin at the first dispatch.
  EXPECT_EQ(std::uint64_t{ends[0]["bind_id"]}, picture.bar_at(4, 6));
  EXPECT_EQ(std::uint64_t{ends[1]["bind_id"]}, picture.bar_at(3, 5));
  EXPECT_EQ(numbers(ends, "input_task_count"), (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(numbers(ends, "output_task_count"), (std::vector<std::int64_t>{1, 1}));
}

TEST(ReferenceLayout, TakesAWaitForTheDoorbellForNoViolation) {
  ChipSketch chip(0, 2);
  const TaskId producer = chip.task(0, "ADD", "AIV");
  const TaskId early = chip.task(1, "MUL", "AIV", 1, trace::TaskFlag::kEarlyDispatch);
  chip.edge(producer, early);
  chip.run(0, producer, {.dispatch = 0, .receive = 10, .start = 20, .end = 100, .finish = 110});
  chip.run(1, early, {.dispatch = 30, .receive = 40, .start = 105, .end = 150, .finish = 160});
  const Picture picture(chip.finish());
  EXPECT_EQ(picture.events("s", "dependency").size(), 2U);
  EXPECT_TRUE(picture.events("s", "hb_violation").empty());
}

TEST(ReferenceLayout, NamesATrueViolation) {
  ChipSketch chip(0, 2);
  const TaskId producer = chip.task(0, "ADD", "AIV");
  const TaskId hasty = chip.task(1, "MUL", "AIV");
  chip.edge(producer, hasty);
  chip.run(0, producer, {.dispatch = 0, .receive = 10, .start = 20, .end = 100, .finish = 110});
  chip.run(1, hasty, {.dispatch = 30, .receive = 40, .start = 99, .end = 150, .finish = 160});
  const Picture picture(chip.finish());
  EXPECT_EQ(picture.events("s", "hb_violation").size(), 2U);
  EXPECT_TRUE(picture.events("s", "dependency").empty());
}

TEST(ReferenceLayout, HasOneViewAtLevelOne) {
  ChipSketch chip(1, 0, 0, 1);
  const TaskId task = chip.task(7, "task", "unknown");
  chip.run(0, task, {.receive = 1000, .start = 2000, .end = 3000});
  const trace::Trace trace = chip.finish();
  const Picture picture(trace);
  const auto bars = picture.events("X", "task(t7)");
  ASSERT_EQ(bars.size(), 1U);
  EXPECT_EQ(std::int64_t{bars[0]["pid"]}, 4);
  EXPECT_EQ(std::int64_t{bars[0]["tid"]}, 10'000);
  EXPECT_EQ(double{bars[0]["args"]["local_setup_us"]}, 1.0);
  base::MemoryOutput out;
  EXPECT_FALSE(write_reference_layout(trace, out, {.overhead = true}));
}

TEST(ReferenceLayout, LeavesOutARowThatTheSchedulerDidNotRecord) {
  ChipSketch chip(0, 2, 1, 2);
  const TaskId joined = chip.task(0, "task", "unknown");
  const TaskId lost = chip.task(1, "task", "unknown");
  chip.run(0, joined, {.dispatch = 0, .receive = 10, .start = 20, .end = 30, .finish = 40});
  chip.run(1, lost, {.receive = 10, .start = 20, .end = 30});
  const Picture picture(chip.finish());
  EXPECT_EQ(picture.events("X", "task(t0)").size(), 2U);
  EXPECT_TRUE(picture.events("X", "task(t1)").empty());
}

TEST(ReferenceLayout, LeadsArrowsThroughTasksWithoutACore) {
  ChipSketch chip(0, 1);
  const TaskId first = chip.task(0, "ADD", "AIV");
  const TaskId barrier = chip.task(1, "", trace::task_kind::kDummy);
  const TaskId second = chip.task(2, "MUL", "AIV");
  chip.edge(first, barrier);
  chip.edge(barrier, second);
  chip.run(0, first, {.dispatch = 0, .receive = 10, .start = 20, .end = 30, .finish = 40});
  chip.phase(0, trace::phase::kDummy, 45, 60);
  chip.control(0, trace::control::kDummyTask, barrier, 50);
  chip.run(0, second, {.dispatch = 70, .receive = 80, .start = 90, .end = 100, .finish = 110});
  const Picture picture(chip.finish());
  const auto markers = picture.events("X", "dummy(t1)");
  ASSERT_EQ(markers.size(), 1U);
  EXPECT_EQ(std::int64_t{markers[0]["tid"]}, 19'000);
  EXPECT_EQ(double{markers[0]["dur"]}, 0.02);
  EXPECT_EQ(numbers(picture.events("f", "dependency"), "tid"), (std::vector<std::int64_t>{19'000, 10'000}));
  EXPECT_EQ(numbers(picture.events("s", "dependency"), "tid"), (std::vector<std::int64_t>{10'000, 19'000}));
}

TEST(ReferenceLayout, ShowsAllocationsAndGraphs) {
  ChipSketch chip(0, 1);
  const TaskId memory = chip.task(0, "", trace::task_kind::kAllocation);
  const TaskId graph = chip.task(1, "", trace::task_kind::kGraph);
  const TaskId node = chip.task((std::uint64_t{1} << 32U) | 1024U, "ADD", "AIV");
  chip.builder.tasks().parent[trace::index(node)] = graph;
  chip.submit(memory, 0, 1000);
  chip.submit(graph, 1000, 2000);
  const trace::SliceId prepare = chip.phase(0, trace::control::kGraphPrepare, 3000, 4000);
  chip.builder.slices().task[trace::index(prepare)] = graph;
  chip.builder.slices().category[trace::index(prepare)] =
      chip.builder.category(trace::category::kControlTask);
  chip.run(0, node, {.dispatch = 5000, .receive = 6000, .start = 7000, .end = 9000, .finish = 10'000});
  const Picture picture(chip.finish());
  const auto allocations = picture.events("X", "alloc(t0)");
  ASSERT_EQ(allocations.size(), 1U);
  EXPECT_EQ(std::int64_t{allocations[0]["pid"]}, 4);
  EXPECT_EQ(std::int64_t{allocations[0]["tid"]}, 19'001);  // one scheduler, then the orchestrator
  const auto graphs = picture.events("X", "graph(t1)");
  ASSERT_EQ(graphs.size(), 1U);
  EXPECT_EQ(std::int64_t{graphs[0]["pid"]}, 5);
  EXPECT_EQ(std::int64_t{graphs[0]["tid"]}, 5000);
  EXPECT_EQ(double{graphs[0]["ts"]}, 3.0);
  EXPECT_EQ(double{graphs[0]["dur"]}, 6.0);
  EXPECT_EQ(picture.events("X", "graph_prepare(1)").size(), 1U);
}

TEST(ReferenceLayout, DrawsNoArrowsFromASchedulerThatIsNotKnown) {
  ChipSketch chip(0, 1, 0, 2);
  const TaskId task = chip.task(0, "ADD", "AIV");
  chip.run(0, task, {.dispatch = 0, .receive = 10, .start = 20, .end = 30, .finish = 40});
  const Picture picture(chip.finish());
  EXPECT_EQ(picture.events("X", "ADD(t0)").size(), 0U);  // ADD is the number of no function
  EXPECT_EQ(picture.events("X", "task(t0)").size(), 2U);
  EXPECT_TRUE(picture.events("s", "dispatch").empty());
}

TEST(ReferenceLayout, NamesBarsAsTheReferenceDoes) {
  EXPECT_EQ(bar_name({.name = "ADD", .function = 3, .task_id = 7}), "ADD(t7)");
  EXPECT_EQ(bar_name({.name = "ADD", .function = 3, .task_id = 7, .spmd = true}), "ADD_spmd(t7)");
  EXPECT_EQ(bar_name({.name = "SPMD_ADD", .function = 3, .task_id = 7, .spmd = true}), "SPMD_ADD(t7)");
  EXPECT_EQ(bar_name({.name = "func_0", .function = 0, .task_id = 0}), "func_0_a(t0)");
  EXPECT_EQ(bar_name({.name = "func_25", .function = 25, .task_id = 0}), "func_25_z(t0)");
  EXPECT_EQ(bar_name({.name = "func_26", .function = 26, .task_id = 0}), "func_26_aa(t0)");
  EXPECT_EQ(bar_name({.name = "func_702", .function = 702, .task_id = 0}), "func_702_aaa(t0)");
  EXPECT_EQ(bar_name({.name = "task", .function = -1, .task_id = (std::uint64_t{1} << 32U) | 4U}),
            "task(r1t4)");
  EXPECT_EQ(bar_name({.name = "ADD (func 4)", .function = 4, .task_id = 0}), "ADD(t0)");
}

}  // namespace
}  // namespace accelscope::compat
