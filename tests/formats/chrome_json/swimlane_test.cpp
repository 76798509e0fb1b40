// The picture of a chip's run in several parts, read back from Chrome's JSON.
#include "support.h"
#include "support/chip_sketch.h"
#include "views/swimlane/swimlane_picture.h"

namespace accelscope::formats::chrome_json {
namespace {

using tests::ChipSketch;
using trace::TaskId;

TEST(WriterSwimlane, PartsMakeOneFile) {
  constexpr int kTasks = 400;
  ChipSketch chip(1, 1);
  TaskId previous = TaskId::kNone;
  for (int i = 0; i < kTasks; ++i) {
    const TaskId task = chip.task(static_cast<unsigned>(i), i % 2 == 0 ? "MM" : "ADD", "AIC");
    if (previous != TaskId::kNone) chip.edge(previous, task);
    previous = task;
    const int at = i * 10;
    chip.run(i % 2, task,
             {.dispatch = at, .receive = at + 1, .start = at + 2, .end = at + 9, .finish = at + 10});
  }
  const Trace recording = chip.finish();
  const auto picture = views::swimlane_picture(recording, {.rows_per_part = 1});
  ASSERT_TRUE(picture);
  ASSERT_GT(picture->more_parts, 1U);
  base::MemoryOutput out;
  ASSERT_TRUE(write(*picture, out));
  const Trace trace = must_read(out.bytes());
  EXPECT_EQ(trace.slices().size(), 4U * kTasks);
  std::size_t dependencies = 0;
  std::size_t starts = 0;
  for (std::uint32_t flow = 0; flow < trace.flows().size(); ++flow) {
    const std::string_view from = trace.text(trace.slices().name[index(trace.flows().from[flow])]);
    const std::string_view to = trace.text(trace.slices().name[index(trace.flows().to[flow])]);
    const std::string_view type = trace.text(trace.flows().type[flow]);
    if (type == trace::flow::kDependency) {
      ++dependencies;
      EXPECT_EQ(from, "kernel");
      EXPECT_EQ(to, "kernel");
    } else {
      ++starts;
      EXPECT_EQ(type, trace::flow::kDispatchToStart);
      EXPECT_EQ(from, to);
      EXPECT_NE(from, "kernel");
    }
  }
  EXPECT_EQ(dependencies, std::size_t{kTasks - 1});
  EXPECT_EQ(starts, std::size_t{kTasks});
}

}  // namespace
}  // namespace accelscope::formats::chrome_json
