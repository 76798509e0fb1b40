// The host beside the device: clocks, phases, spans.
#include "formats/chip_run/helpers.h"
#include "formats/chip_run/host_trace.h"
#include "trace/clock.h"

namespace accelscope::formats::chip_run {
namespace {

using chip_swimlane::Capture;
using chip_swimlane::ClockAnchor;
using trace::Ticks;
using trace::Trace;

TEST(HostClock, TheShortestRoundTripOfEachPositionMakesAKnot) {
  const Trace trace = trace_of(host_capture());
  ASSERT_EQ(trace.clock_relations().size(), 1U);
  const trace::ClockRelation& relation = trace.clock_relations()[0];
  const trace::ChipRun chip = trace::chip_run(trace);
  EXPECT_EQ(relation.to, chip.clock);
  EXPECT_EQ(relation.from, trace.track(chip.orchestrators.at(0)).clock);
  ASSERT_EQ(relation.knots.size(), 2U);
  EXPECT_EQ(relation.knots[0].from, Ticks{1000});
  EXPECT_EQ(relation.knots[0].to, Ticks{50});
  EXPECT_EQ(relation.knots[1].from, Ticks{9000});
  EXPECT_EQ(relation.knots[1].to, Ticks{450});
  EXPECT_EQ(relation.samples.size(), 4U) << "all readings are kept";
  EXPECT_EQ(relation.uncertainty, Ticks{2}) << "30 ns are at most two ticks";
  EXPECT_EQ(trace::map_time(relation, Ticks{5000})->value, Ticks{250});
  EXPECT_TRUE(chip.orchestrated_on_host);
  EXPECT_TRUE(chip.clocks_compare);
  EXPECT_EQ(quality_of(trace, "chip_run.clocks_not_aligned"), nullptr);
}

TEST(HostClock, CoarseClocksAreLessCertain) {
  Capture capture = host_capture();
  capture.clock_anchors->raw_device_unit = "device_uptime_us";
  capture.host_quantization_ns = 10;
  EXPECT_EQ(trace_of(std::move(capture)).clock_relations()[0].uncertainty, Ticks{52});
}

struct Unalignable {
  const char* reason;
  void (*damage)(Capture&);
};
class HostClockTrouble : public testing::TestWithParam<Unalignable> {};

TEST_P(HostClockTrouble, LaysTheDeviceAfterTheHost) {
  Capture capture = host_capture();
  GetParam().damage(capture);
  const bool known_frequency = capture.frequency.known();
  const Trace trace = trace_of(std::move(capture));
  const trace::QualityRow* row = quality_of(trace, "chip_run.clocks_not_aligned");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->severity, trace::Severity::kWarning);
  EXPECT_NE(row->sentence.find(GetParam().reason), std::string::npos) << row->sentence;
  const trace::ClockRelation& relation = trace.clock_relations()[0];
  EXPECT_EQ(relation.uncertainty, Ticks::max());
  EXPECT_FALSE(trace::chip_run(trace).clocks_compare);
  if (!known_frequency) return;
  EXPECT_EQ(trace::map_time(relation, Ticks{3400})->value, Ticks{200}) << "the last host time";
  EXPECT_EQ(trace::map_time(relation, Ticks{3420})->value, Ticks{201});
}

constexpr auto kAfter = ClockAnchor::Position::kAfter;
INSTANTIATE_TEST_SUITE_P(
    Reasons, HostClockTrouble,
    testing::Values(
        Unalignable{"has no readings", [](Capture& capture) { capture.clock_anchors.reset(); }},
        Unalignable{"is empty", [](Capture& capture) { capture.clock_anchors->samples.clear(); }},
        Unalignable{"unit of the device's readings",
                    [](Capture& capture) { capture.clock_anchors->device_unit = "fortnights"; }},
        Unalignable{"raw readings", [](Capture& capture) { capture.clock_anchors->raw_device_unit = ""; }},
        Unalignable{"before the host's orchestration",
                    [](Capture& capture) {
                      for (ClockAnchor& sample : capture.clock_anchors->samples)
                        sample.usable = sample.position == kAfter;
                    }},
        Unalignable{"after the device's execution",
                    [](Capture& capture) { capture.clock_anchors->samples[3].round_trip_ns = -1; }},
        Unalignable{
            "host's time does not advance",
            [](Capture& capture) { capture.clock_anchors->samples[3] = anchor(kAfter, 100, 450, 10); }},
        Unalignable{"device's time does not advance",
                    [](Capture& capture) { capture.clock_anchors->samples[3].device_cycles = 50; }},
        Unalignable{"outside of the readings",
                    [](Capture& capture) { capture.clock_anchors->samples[3].device_cycles = 399; }},
        Unalignable{"frequency", [](Capture& capture) { capture.frequency = base::Frequency::unknown(); }},
        Unalignable{"resolution", [](Capture& capture) { capture.host_quantization_ns = -1; }}));

TEST(HostLanes, UploadsAndSubmitsAreTheHosts) {
  const Trace trace = trace_of(host_capture());
  const trace::TrackId uploads = track_named(trace, "uploads");
  EXPECT_EQ(names_on(trace, uploads), std::vector<std::string>{"arena_h2d"});
  const std::uint32_t row = trace.slices_of(uploads).first;
  EXPECT_EQ(arg_of(trace, row, "bytes").as_uint(), 4096U);
  EXPECT_EQ(trace.category_name(trace.slices().category[row]), "upload");
  EXPECT_EQ(trace.text(trace.resources()[index(trace.track(uploads).resource)].engine), "host");
  EXPECT_TRUE(trace.clock_of(uploads).frequency.is_nanoseconds());
}

TEST(HostLanes, PhasesThatTheSwimlaneHasAreNotDrawnTwice) {
  Capture capture = host_capture();
  submit_on_host(capture, 2, 2200, 2300);
  Siblings siblings;
  siblings.host_phases.emplace();
  siblings.host_phases->passes = {{.process = 7,
                                   .records = {{"host_orch", 1900, 2900, 0, 70},
                                               {"submit_task", 2000, 2100, 1, 70},
                                               {"alloc_tensors", 2200, 2300, 2, 70},
                                               {"submit_task", 2400, 2500, 1, 70},
                                               {"arena_h2d", 3000, 3400, 4096, 70},
                                               {"sm_h2d", 3500, 3600, 512, 71}}}};
  const Trace trace = trace_of(std::move(capture), siblings);
  const trace::TrackId thread = track_named(trace, "thread 70");
  EXPECT_EQ(names_on(trace, thread), (std::vector<std::string>{"host_orch", "submit_task"}));
  const std::uint32_t first = trace.slices_of(thread).first;
  EXPECT_EQ(trace.slices().parent[first + 1], trace::SliceId{first});
  EXPECT_EQ(trace.slices().task[first + 1], trace::TaskId{*row_of_task(trace, 1)});
  EXPECT_EQ(trace.category_name(trace.slices().category[first]), "host phase");
  EXPECT_EQ(trace.text(trace.track(trace.track(thread).parent).name), "host process 7");
  const std::uint32_t copy = trace.slices_of(track_named(trace, "thread 71")).first;
  EXPECT_EQ(arg_of(trace, copy, "bytes").as_uint(), 512U);
  EXPECT_EQ(kind_of_task(trace, 2), "allocation");
}

strace_log::StraceLog sample_log() {
  strace_log::StraceLog log;
  const auto span = [&](std::uint32_t depth, const char* name, std::int64_t start, std::int64_t duration,
                        bool on_device, std::uint64_t invocation = 1) {
    log.spans.push_back({.process = 7,
                         .thread = 70,
                         .invocation = invocation,
                         .callable = "ab",
                         .depth = depth,
                         .name = name,
                         .start_ns = start,
                         .duration_ns = duration,
                         .on_device = on_device,
                         .more = {{"slot", "3"}}});
  };
  span(1, "chip.run.runner_run", 2000, 500, false);
  span(3, "chip.run.runner_run.device_wall.orch", 10, 20, true);
  span(2, "chip.run.runner_run.device_wall", 0, 400, true);
  span(0, "chip.run", 1000, 2000, false);
  log.anchors = {{7, 100, 1'000'100}};
  return log;
}

TEST(HostLanes, SpansNestAndThoseOfTheDeviceBeginWithTheSpanAroundThem) {
  Capture capture = empty_capture(1, 0, 1);
  run(capture, 0, {.task = 1, .start = 200, .end = 400});
  Siblings siblings;
  siblings.log = sample_log();
  const Trace trace = trace_of(std::move(capture), siblings);
  const trace::TrackId thread = track_named(trace, "thread 70");
  EXPECT_EQ(names_on(trace, thread), (std::vector<std::string>{"chip.run", "chip.run.runner_run"}));
  const std::uint32_t first = trace.slices_of(thread).first;
  EXPECT_EQ(trace.slices().parent[first + 1], trace::SliceId{first});
  EXPECT_EQ(arg_of(trace, first, "invocation").as_uint(), 1U);
  EXPECT_EQ(trace.text(arg_of(trace, first, "callable").as_text()), "ab");
  EXPECT_EQ(trace.text(arg_of(trace, first, "slot").as_text()), "3");
  const trace::TrackId device = track_named(trace, "device runs");
  const std::uint32_t wall = trace.slices_of(device).first;
  EXPECT_EQ(trace.slices().start[wall], Ticks{2000});
  EXPECT_EQ(trace.slices().start[wall + 1], Ticks{2010});
  EXPECT_EQ(trace.slices().parent[wall + 1], trace::SliceId{wall});
  EXPECT_TRUE(has_flag(trace.slices().flags[wall], trace::SliceFlag::kEstimated));
  EXPECT_EQ(quality_of(trace, "chip_run.device_spans_placed")->count, 2U);
  EXPECT_EQ(fact_of(trace, "wall clock minus host clock").as_int(), 1'000'000);
  // Nothing was measured, so the device is put where the host waits for it.
  EXPECT_EQ(quality_of(trace, "chip_run.clocks_not_aligned")->severity, trace::Severity::kInfo);
  EXPECT_EQ(trace::map_time(trace.clock_relations()[0], Ticks{2000})->value, Ticks{200});
}

TEST(HostLanes, DeviceSpansWithoutAHostAreSaid) {
  Siblings siblings;
  siblings.log = sample_log();
  siblings.log->spans.erase(siblings.log->spans.begin());
  siblings.log->spans.pop_back();
  const Trace trace = trace_of(empty_capture(1, 0, 1), siblings);
  EXPECT_EQ(quality_of(trace, "chip_run.device_spans_unplaced")->count, 2U);
}

TEST(HostTrace, ALogAloneIsATrace) {
  const auto result = read_host_log(base::MappedFile::from_memory(
      "run.log", "noise\n[STRACE] v=1 pid=7 tid=70 inv=1 hid=0 depth=0 name=chip.run ts=1000 dur=2000\n"));
  ASSERT_TRUE(result) << result.error().to_string();
  EXPECT_EQ(names_on(*result, track_named(*result, "thread 70")), std::vector<std::string>{"chip.run"});
  EXPECT_EQ(result->sources().front().format, "strace-log");
  EXPECT_FALSE(trace::is_chip_run(*result));
}

TEST(HostTrace, PhasesAloneAreATrace) {
  const auto result = read_host_phase_records(base::MappedFile::from_memory(
      "host_phase_records.jsonl",
      R"({"pid": 7, "inv": 1, "clock": "host_monotonic_ns", "dropped": 0, "records": [)"
      R"({"phase": "submit_task", "start_ns": 10, "end_ns": 20, "detail": 5, "tid": 70}]})"));
  ASSERT_TRUE(result) << result.error().to_string();
  EXPECT_EQ(names_on(*result, track_named(*result, "thread 70")), std::vector<std::string>{"submit_task"});
}

}  // namespace
}  // namespace accelscope::formats::chip_run
