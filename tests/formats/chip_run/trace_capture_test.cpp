// Rows of a trace again, where the trace is odd: what can be said is said, what cannot is counted.
#include "formats/chip_run/trace_capture.h"

#include <gtest/gtest.h>

#include "formats/chip_run/helpers.h"
#include "formats/chip_run/written_run.h"
#include "support/chip_sketch.h"

namespace accelscope::formats::chip_run {
namespace {

using chip_swimlane::Capture;
using chip_swimlane::kNoTime;
using trace::Trace;

std::string difference(const Trace& a, const Trace& b) {
  return first_difference(tests::trace_text(a), tests::trace_text(b),
                          [](const std::string& line) { return line; });
}

std::uint64_t count_of(const trace::QualityTable& table, std::string_view words) {
  std::uint64_t count = 0;
  for (const trace::QualityRow& row : table.rows())
    if (row.sentence.find(words) != std::string::npos) count += row.count;
  return count;
}

// Level 4, one cube and two vector cores.
Capture small_run() {
  Capture capture = empty_capture(1, 2);
  submit(capture, 7, 90, 95);
  phase(capture, 0, "dispatch", 98, 102).pop_hits = 1;
  run(capture, 0, {.task = 7, .start = 110, .end = 120, .dispatch = 100, .finish = 125, .receive = 105});
  return capture;
}

TEST(CaptureOf, IsTheInverseOfTheReader) {
  const Trace trace = trace_of(small_run());
  const Capture capture = capture_of(trace).value();
  EXPECT_EQ(capture.level, 4);
  EXPECT_EQ(capture.frequency, base::Frequency::mhz(50));
  ASSERT_EQ(capture.cores.size(), 3U);
  EXPECT_EQ(capture.cores[0].type, chip_swimlane::CoreType::kCube);
  EXPECT_EQ(capture.cores[0].receive, std::vector<std::int64_t>{105});
  EXPECT_TRUE(capture.cores[0].function.empty());
  EXPECT_TRUE(capture.cores[1].task.empty());
  EXPECT_EQ(capture.core_to_thread, (std::vector<std::int32_t>{0, -1, -1}));
  EXPECT_EQ(capture.scheduler_threads.at(0).at(0).pop_hits, 1U);
  EXPECT_EQ(capture.orchestrators.at(0).at(0).task, 7U);
  EXPECT_TRUE(capture.quality.rows().empty());
}

TEST(CaptureOf, KeepsEndsThatAreNotKnown) {
  for (const SwimlaneForm form : {SwimlaneForm::kCycles, SwimlaneForm::kObjects}) {
    Capture capture = small_run();
    for (auto* core : {&capture.cores[0], &capture.cores[1]}) core->end_unknown.assign(core->task.size(), 0);
    run(capture, 1, {.task = 7, .start = 130, .end = 130, .dispatch = 104, .finish = 140});
    capture.cores[1].end_unknown.push_back(1);
    phase(capture, 0, "complete", 126, 126).end_unknown = true;
    submit(capture, 8, 96, 96);
    capture.orchestrators[0].back().end_unknown = true;
    const Trace trace = trace_of(capture);
    const Trace again = written_run(trace, form).read();
    std::uint64_t unknown = 0;
    for (std::uint32_t row = 0; row < again.slices().size(); ++row) {
      EXPECT_EQ(again.slices().flags[row], trace.slices().flags[row]) << row;
      if (has_flag(again.slices().flags[row], trace::SliceFlag::kEndUnknown)) ++unknown;
    }
    EXPECT_EQ(unknown, 3U);
    EXPECT_EQ(again.quality().count("chip_swimlane.end_before_start"), 3U);
    if (form == SwimlaneForm::kCycles) {
      EXPECT_EQ(difference(trace, again), "");
    }
  }
}

TEST(CaptureOf, KeepsAnUnknownEndOfTheFirstMoment) {
  for (const SwimlaneForm form : {SwimlaneForm::kCycles, SwimlaneForm::kObjects}) {
    Capture capture = empty_capture(0, 1, 1);
    run(capture, 0, {.task = 1, .start = 0, .end = 0});
    capture.cores[0].end_unknown = {1};
    const Trace again = written_run(trace_of(capture), form).read();
    ASSERT_EQ(again.slices().size(), 1U);
    EXPECT_TRUE(has_flag(again.slices().flags[0], trace::SliceFlag::kEndUnknown));
  }
}

TEST(CaptureOf, ShiftsTimesThatWouldBeTakenForNone) {
  Capture capture = empty_capture(0, 2, 2);
  run(capture, 0, {.task = 1, .start = 5, .end = 9, .dispatch = 0, .finish = 12});
  run(capture, 1, {.task = 2, .start = -4, .end = 9, .dispatch = -7, .finish = 12});
  const Trace trace = trace_of(capture);
  const WrittenRun files = written_run(trace, SwimlaneForm::kCycles);
  EXPECT_EQ(files.remarks.count("chip_swimlane.times_shifted"), 1U);
  const Trace again = files.read();
  EXPECT_TRUE(again.quality().rows().empty());
  EXPECT_EQ(first_difference(tests::trace_text(trace, {.zero = base::Ticks{-8}}), tests::trace_text(again),
                             [](const std::string& line) { return line; }),
            "");
  // A phase or a start at 0 is no trouble.
  Capture harmless = empty_capture(0, 1);
  phase(harmless, 0, "dispatch", 0, 3);
  run(harmless, 0, {.task = 1, .start = 5, .end = 9, .dispatch = 2, .finish = 12});
  EXPECT_EQ(written_run(trace_of(harmless), SwimlaneForm::kCycles).remarks.rows().size(), 0U);
}

TEST(CaptureOf, RefusesTimesBeyondTheFile) {
  Capture capture = empty_capture(0, 2, 1);
  constexpr std::int64_t kFar = std::int64_t{1} << 62U;
  run(capture, 0, {.task = 1, .start = -kFar - 5, .end = -kFar});
  run(capture, 1, {.task = 1, .start = kFar, .end = kFar + 5});
  Capture written = capture_of(trace_of(capture)).value();
  const auto fitted = chip_swimlane::fit_to_cycles(written);
  ASSERT_FALSE(fitted);
  EXPECT_NE(fitted.error().message.find("63 bits"), std::string::npos);
}

TEST(CaptureOf, LeavesOutReceivesBehindTheirStart) {
  Capture capture = empty_capture(0, 1, 2);
  run(capture, 0, {.task = 1, .start = 5, .end = 9, .dispatch = 3, .finish = 12, .receive = 6});
  run(capture, 0, {.task = 2, .start = 15, .end = 19, .dispatch = 13, .finish = 22, .receive = 14});
  const WrittenRun files = written_run(trace_of(capture), SwimlaneForm::kCycles);
  EXPECT_EQ(count_of(files.remarks, "that it was after it"), 1U);
  const Trace again = files.read();
  EXPECT_EQ(again.stages().size(), 5U);
}

TEST(CaptureOf, KeepsNumbersOfDispatchesInCyclesOnly) {
  Capture capture = empty_capture(0, 1, 2);
  run(capture, 0, {.task = 1, .start = 5, .end = 9, .dispatch = 3, .finish = 12, .sequence = 2});
  run(capture, 0, {.task = 2, .start = 15, .end = 19, .dispatch = 13, .finish = 22, .sequence = 5});
  const Trace trace = trace_of(capture);
  const WrittenRun cycles = written_run(trace, SwimlaneForm::kCycles);
  EXPECT_EQ(difference(trace, cycles.read()), "");
  EXPECT_EQ(cycles.read().quality().count("chip_swimlane.lost_rows"), 3U);
  const WrittenRun objects = written_run(trace, SwimlaneForm::kObjects);
  EXPECT_EQ(count_of(objects.remarks, "no numbers of dispatches"), 2U);
  EXPECT_TRUE(objects.read().quality().rows().empty());
}

TEST(CaptureOf, PutsRowsThatStartedOutOfOrderInTheOrderOfTheirNumbers) {
  Capture capture = empty_capture(0, 1, 2);
  run(capture, 0, {.task = 1, .start = 15, .end = 19, .dispatch = 3, .finish = 22});
  run(capture, 0, {.task = 2, .start = 5, .end = 9, .dispatch = 4, .finish = 12});
  const Trace trace = trace_of(capture);
  EXPECT_EQ(capture_of(trace).value().cores[0].task, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(difference(trace, written_run(trace, SwimlaneForm::kCycles).read()), "");
}

// Inner phases are recorded before the one that they are part of; one of no length behind it comes after it,
// and so do its samples of the ready queues.
TEST(CaptureOf, PutsPhasesInTheOrderInWhichTheyWereRecorded) {
  Capture capture = empty_capture(0, 1);
  const auto queues = [](std::int64_t depth) { return std::array<std::int64_t, 3>{depth, 0, 0}; };
  phase(capture, 0, "resolve", 105, 110);
  chip_swimlane::PhaseRow& complete = phase(capture, 0, "complete", 100, 110);
  complete.queues_at_start = queues(1);
  complete.queues_at_end = queues(2);
  chip_swimlane::PhaseRow& last = phase(capture, 0, "dispatch", 110, 110);
  last.queues_at_start = queues(3);
  last.queues_at_end = queues(4);
  run(capture, 0, {.task = 1, .start = 15, .end = 19, .dispatch = 3, .finish = 22});
  const Trace trace = trace_of(capture);
  std::vector<std::string> order;
  const Capture again = capture_of(trace).value();
  for (const chip_swimlane::PhaseRow& row : again.scheduler_threads.at(0))
    order.push_back(again.phase_kinds[row.kind]);
  EXPECT_EQ(order, (std::vector<std::string>{"resolve", "complete", "dispatch"}));
  EXPECT_EQ(difference(trace, written_run(trace, SwimlaneForm::kCycles).read()), "");
}

TEST(CaptureOf, SaysThatAbsentCoresBecomeIdleOnes) {
  Capture capture = empty_capture(0, 3, 1);
  capture.cores[1].exists = false;
  run(capture, 2, {.task = 1, .start = 5, .end = 9});
  const WrittenRun files = written_run(trace_of(capture), SwimlaneForm::kCycles);
  EXPECT_EQ(count_of(files.remarks, "are no cores"), 1U);
  EXPECT_EQ(trace::chip_run(files.read()).cores.size(), 3U);
}

TEST(CaptureOf, CountsWhatWasLost) {
  Capture capture = small_run();
  capture.counts.core_rows = 5;
  capture.counts.rejected_rows = 4;
  const Capture again = capture_of(trace_of(capture)).value();
  EXPECT_EQ(count_of(again.quality, "lost or rejected"), 4U);
}

TEST(CaptureOf, GivesALevelToATraceThatDoesNotSayIt) {
  tests::ChipSketch chip(1, 1, 1, 0);
  const trace::TaskId task = chip.task(3, "ADD", "AIV");
  chip.run(1, task, {.dispatch = 3, .receive = 4, .start = 5, .end = 9, .finish = 10});
  const Trace trace = chip.finish();
  const Capture capture = capture_of(trace).value();
  EXPECT_EQ(capture.level, 2);
  // A name without a number gets one, the same in every file.
  EXPECT_EQ(capture.cores[1].function, std::vector<std::int32_t>{0});
  EXPECT_EQ(names_of(trace).value().functions.at(0), "ADD");
}

TEST(CaptureOf, RefusesWhatIsNotTheRunOfOneChip) {
  tests::OneTrackSketch none;
  none.add("x", 0, 5);
  const auto no_chip = capture_of(none.finish());
  ASSERT_FALSE(no_chip);
  EXPECT_EQ(no_chip.error().code, base::ErrorCode::kUsage);
  EXPECT_NE(no_chip.error().message.find("no cores of a chip"), std::string::npos);

  trace::TraceBuilder both;
  const Trace one = trace_of(small_run());
  both.append(one, "a");
  both.append(one, "b");
  const auto two_chips = capture_of(std::move(both).finish().value());
  ASSERT_FALSE(two_chips);
  EXPECT_NE(two_chips.error().message.find("cores of several"), std::string::npos)
      << two_chips.error().message;
}

}  // namespace
}  // namespace accelscope::formats::chip_run
