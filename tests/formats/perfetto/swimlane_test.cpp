// The picture of a chip's run, as Perfetto reads it back: parts make one file.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "formats/perfetto/perfetto_writer.h"
#include "formats/perfetto/replay.h"
#include "support/chip_sketch.h"
#include "views/swimlane/swimlane_picture.h"

namespace accelscope::formats::perfetto {
namespace {

using test::Replay;
using test::ReplayedSlice;
using tests::ChipSketch;
using trace::TaskId;
using trace::Trace;

// Two cores, dispatches that overlap in the scheduler view, dependencies from core to core.
Trace two_cores(int dispatches) {
  ChipSketch chip(1, 1);
  TaskId previous = TaskId::kNone;
  for (int i = 0; i < dispatches; ++i) {
    const TaskId task = chip.task((std::uint64_t{1} << 32U) | static_cast<unsigned>(i),
                                  i % 2 == 0 ? "MM" : "ADD", i % 2 == 0 ? "AIC" : "AIV");
    if (previous != TaskId::kNone) chip.edge(previous, task);
    previous = task;
    const int at = 100 + i * 10;
    chip.submit(task, i, i + 1);
    chip.phase(0, "dispatch", at - 40, at - 35);
    chip.run(i % 2, task,
             {.dispatch = at - 37, .receive = at + 1, .start = at + 2, .end = at + 9, .finish = at + 21});
  }
  return chip.finish();
}

Replay replay_in_parts_of(const Trace& trace, std::uint32_t rows) {
  const auto picture = views::swimlane_picture(trace, {.rows_per_part = rows});
  EXPECT_TRUE(picture);
  base::MemoryOutput out;
  const auto notes = write(*picture, out);
  EXPECT_TRUE(notes) << notes.error().to_string();
  if (notes) {
    EXPECT_TRUE(notes->rows().empty()) << notes->rows().front().sentence;
  }
  return test::replay(out.bytes());
}

std::vector<std::string> described(const Replay& replay) {
  const auto line = [&](const ReplayedSlice& slice) {
    return fmt::format("{}: {} {}-{}", test::track_name(replay.tracks.at(slice.track)), slice.name,
                       slice.start, slice.end);
  };
  std::vector<std::string> lines;
  for (const ReplayedSlice& slice : replay.slices)
    if (!slice.is_instant)
      lines.push_back(line(slice) + (slice.parent ? " in " + line(replay.slices[*slice.parent]) : ""));
  for (const test::ReplayedFlow& flow : replay.flows)
    lines.push_back(line(replay.slices[flow.from]) + " -> " + line(replay.slices[flow.to]));
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(PerfettoSwimlane, ManyPartsAreTheFileOfOne) {
  const Trace trace = two_cores(500);
  const Replay whole = replay_in_parts_of(trace, 1'000'000);
  const Replay cut = replay_in_parts_of(trace, 1);
  EXPECT_EQ(whole.errors, std::vector<std::string>{});
  EXPECT_EQ(cut.errors, std::vector<std::string>{});
  EXPECT_EQ(whole.tracks.size(), cut.tracks.size());
  EXPECT_EQ(described(whole), described(cut));
  // Submission, phase, one bar, and one with two slices inside; arrows for submission, start and dependency.
  EXPECT_EQ(std::count_if(cut.slices.begin(), cut.slices.end(),
                          [](const ReplayedSlice& slice) { return !slice.is_instant; }),
            500 * 6);
  EXPECT_EQ(cut.flows.size(), std::size_t{500 * 2 + 499});
}

TEST(PerfettoSwimlane, SlicesAreNamedByFunctionAndSayTheirTask) {
  const Replay replay = replay_in_parts_of(two_cores(2), 1);
  const auto bar = std::find_if(replay.slices.begin(), replay.slices.end(), [](const ReplayedSlice& slice) {
    return slice.name == "ADD" && slice.args.contains("sequence");
  });
  ASSERT_NE(bar, replay.slices.end());
  EXPECT_EQ(bar->args.at("task"), "string r1t1");
  EXPECT_EQ(bar->args.at("sequence"), "uint 1");
}

}  // namespace
}  // namespace accelscope::formats::perfetto
