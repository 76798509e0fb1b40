// The host's part of a swimlane, written from a trace: readings of both clocks relate them again, and those
// that do not relate them do not begin to.
#include <gtest/gtest.h>

#include "formats/chip_run/helpers.h"
#include "formats/chip_run/written_run.h"

namespace accelscope::formats::chip_run {
namespace {

using chip_swimlane::Capture;
using chip_swimlane::ClockAnchor;
using trace::Trace;

void expect_same(const Trace& trace) {
  const Trace again = written_run(trace, SwimlaneForm::kCycles).read();
  EXPECT_EQ(first_difference(tests::trace_text(trace), tests::trace_text(again),
                             [](const std::string& line) { return line; }),
            "");
}

TEST(HostWriteBack, ReadingsRelateTheClocksAgain) {
  expect_same(trace_of(host_capture()));
}

TEST(HostWriteBack, ReadingsThatAreEqualInTicksAreChosenAgain) {
  Capture capture = host_capture();
  // All of three ticks when rounded up; the third has the shortest round trip.
  capture.clock_anchors->samples = {anchor(ClockAnchor::Position::kBefore, 900, 46, 58),
                                    anchor(ClockAnchor::Position::kBefore, 980, 50, 57),
                                    anchor(ClockAnchor::Position::kBefore, 1981, 100, 43),
                                    anchor(ClockAnchor::Position::kAfter, 8970, 450, 59),
                                    anchor(ClockAnchor::Position::kAfter, 9970, 500, 41)};
  const Trace trace = trace_of(std::move(capture));
  EXPECT_EQ(trace.clock_relations()[0].knots[0].to, base::Ticks{100});
  expect_same(trace);
}

TEST(HostWriteBack, CoarseClocksStayAsUncertain) {
  for (const char* unit : {"syscnt_cycles", "device_uptime_us"})
    for (const std::int64_t quantization : {0, 1, 7, 20, 33, 999, 1000, 5001}) {
      SCOPED_TRACE(fmt::format("{} {}", unit, quantization));
      Capture capture = host_capture();
      capture.clock_anchors->raw_device_unit = unit;
      capture.host_quantization_ns = quantization;
      expect_same(trace_of(std::move(capture)));
    }
}

TEST(HostWriteBack, AnotherFrequencyRelatesToo) {
  Capture capture = host_capture();
  capture.frequency = base::Frequency::hz(48'000'001);
  capture.host_quantization_ns = 13;
  expect_same(trace_of(std::move(capture)));
}

TEST(HostWriteBack, ReadingsThatDidNotRelateTheClocksDoNotBeginTo) {
  Capture capture = host_capture();
  capture.clock_anchors->device_unit = "fortnights";
  const Trace trace = trace_of(std::move(capture));
  const Trace again = written_run(trace, SwimlaneForm::kCycles).read();
  EXPECT_EQ(again.clock_relations()[0].uncertainty, base::Ticks::max());
  EXPECT_FALSE(trace::chip_run(again).clocks_compare);
  // All but the readings, which are not written.
  EXPECT_EQ(first_difference(
                tests::trace_text(trace), tests::trace_text(again),
                [](const std::string& line) { return line.starts_with("relation sample") ? "" : line; }),
            "");
}

TEST(HostWriteBack, SaysHowMuchOfTheHostIsThere) {
  Capture capture = host_capture();
  capture.host_capture = {
      .status = "partial", .expected = 5, .recorded = 1, .dropped = 4, .error = "pool full"};
  expect_same(trace_of(capture));
  const Capture again = capture_of(trace_of(capture)).value();
  EXPECT_EQ(again.host_capture->status, "partial");
  EXPECT_EQ(again.host_capture->error, "pool full");
  EXPECT_EQ(again.quality.count("chip_run.not_written"), 0U) << "this loss is written";
}

TEST(HostWriteBack, RefusesHostTimesBeforeZero) {
  Capture capture = host_capture();
  capture.uploads[0].start_ns = -5;
  Capture again = capture_of(trace_of(std::move(capture))).value();
  const auto fitted = chip_swimlane::fit_to_cycles(again);
  ASSERT_FALSE(fitted);
  EXPECT_NE(fitted.error().message.find("host's times begin before 0"), std::string::npos);
}

}  // namespace
}  // namespace accelscope::formats::chip_run
