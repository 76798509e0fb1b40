// From drains and blocks of a recording to the pipe tracks of a trace: whose each interval is, and what is
// said of everything that is not known.
#include <gtest/gtest.h>

#include <random>

#include "accelscope/dfx_flags.h"
#include "formats/capture/container_reader.h"
#include "formats/chip_run/recording_reader.h"
#include "formats/chip_run/sample_pipes.h"
#include "trace/core_pipes.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using base::MappedFile;
using base::MemoryOutput;
using capture::CoreType;
using perfmon::Pipe;
using trace::CoreData;
using trace::SliceFlag;
using trace::SliceId;
using trace::Ticks;
using trace::Trace;
using trace::TrackId;

Trace pipes_trace(const SamplePipes& run) {
  MemoryOutput out;
  EXPECT_TRUE(record_pipes(run, out));
  auto trace = read_recording(MappedFile::from_memory("x.astrace", std::string(out.bytes())));
  EXPECT_TRUE(trace) << trace.error().to_string();
  return *std::move(trace);
}

SamplePipes one_core(std::vector<SampleTask> tasks, std::vector<SampleDrain> drains) {
  return {.cores = {CoreType::kCube},
          .functions = {"GEMM"},
          .tasks = std::move(tasks),
          .drains = std::move(drains)};
}

struct Busy {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::uint64_t task = 0;  // 0: nobody's
  SliceFlag flags = SliceFlag::kNone;

  bool operator==(const Busy&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Busy& busy) {
    return out << '[' << busy.from << ',' << busy.to << ") of " << busy.task << " flags "
               << static_cast<unsigned>(busy.flags);
  }
};

std::vector<Busy> busy(const Trace& trace, std::size_t core, Pipe pipe) {
  const trace::ChipRun chip = trace::chip_run(trace);
  const TrackId track = trace::pipe_tracks(trace, chip)[core].pipes[static_cast<std::size_t>(pipe)];
  std::vector<Busy> result;
  if (track == TrackId::kNone) return result;
  const trace::RowRange rows = trace.slices_of(track);
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    const SliceId owner = trace.slices().owner[row];
    std::uint64_t task = 0;
    if (owner != SliceId::kNone) {
      EXPECT_EQ(trace.slices().track[index(owner)], chip.cores[core].track);
      EXPECT_EQ(trace.slices().task[index(owner)], trace.slices().task[row]);
      task = trace.tasks().external_id[index(trace.slices().task[row])];
    }
    result.push_back(
        {trace.slices().start[row].value, trace.end_of(SliceId{row}).value, task, trace.slices().flags[row]});
  }
  return result;
}

// "[from,to) cause" of every gap.
std::vector<std::string> gaps(const Trace& trace, std::size_t core = 0) {
  std::vector<std::string> result;
  const auto tracks = trace::pipe_tracks(trace, trace::chip_run(trace));
  for (const trace::PipeGap& gap : trace::pipe_gaps(trace, tracks[core]))
    result.push_back(std::to_string(gap.from.value) + "-" + std::to_string(gap.to.value) + " " +
                     std::string(trace.text(gap.cause)));
  return result;
}

const std::vector<SampleTask> kTwoTasks = {{0, 1, 0, 1000, 2000}, {0, 2, 0, 2100, 3000}};

TEST(PipeLanes, IntervalsBelongToTheTaskTheyAreIn) {
  const Trace trace = pipes_trace(one_core(
      kTwoTasks,
      {{.time = 2000, .task = 1, .bytes = words_of({{1100, 1300, Pipe::kMte2}, {1200, 1900, Pipe::kCube}})},
       {.time = 3010, .task = 2, .bytes = words_of({{2200, 2300, Pipe::kMte2}})}}));
  EXPECT_EQ(busy(trace, 0, Pipe::kMte2), (std::vector<Busy>{{1100, 1300, 1}, {2200, 2300, 2}}));
  EXPECT_EQ(busy(trace, 0, Pipe::kCube), (std::vector<Busy>{{1200, 1900, 1}}));
  EXPECT_TRUE(gaps(trace).empty());
  const auto tracks = trace::pipe_tracks(trace, trace::chip_run(trace));
  for (const Pipe never : {Pipe::kSu, Pipe::kVec, Pipe::kFixp})
    EXPECT_EQ(tracks[0].pipes[static_cast<std::size_t>(never)], TrackId::kNone) << name_of(never);
  EXPECT_TRUE(tracks[0].recorded());
  EXPECT_EQ(trace.track(tracks[0].pipes[4]).level, trace::TrackLevel::kLane);
  for (const trace::QualityRow& row : trace.quality().rows())
    EXPECT_FALSE(row.id.starts_with("perfmon.")) << row.id;
}

TEST(PipeLanes, StraddlersBelongToTheTaskTheyBeginInOrElseEndIn) {
  const Trace trace =
      pipes_trace(one_core(kTwoTasks, {{.time = 3500,
                                        .task = 2,
                                        .bytes = words_of({
                                            {900, 1100, Pipe::kMte1},   // ends in 1
                                            {1900, 2200, Pipe::kMte1},  // begins in 1, ends in 2
                                            {2050, 2150, Pipe::kMte2},  // ends in 2
                                            {2020, 2100, Pipe::kMte3},  // up to the begin of 2: between them
                                            {2000, 2010, Pipe::kVec},   // from the end of 1: between them
                                            {2900, 3100, Pipe::kVec},   // begins in 2
                                            {500, 3200, Pipe::kCube},   // around both
                                            {3300, 3400, Pipe::kFixp},  // behind both
                                        })}}));
  EXPECT_EQ(busy(trace, 0, Pipe::kMte1), (std::vector<Busy>{{900, 1100, 1}, {1900, 2200, 1}}));
  EXPECT_EQ(busy(trace, 0, Pipe::kMte2), (std::vector<Busy>{{2050, 2150, 2}}));
  EXPECT_EQ(busy(trace, 0, Pipe::kMte3), (std::vector<Busy>{{2020, 2100, 0}}));
  EXPECT_EQ(busy(trace, 0, Pipe::kVec), (std::vector<Busy>{{2000, 2010, 0}, {2900, 3100, 2}}));
  EXPECT_EQ(busy(trace, 0, Pipe::kCube), (std::vector<Busy>{{500, 3200, 1}}));
  EXPECT_EQ(busy(trace, 0, Pipe::kFixp), (std::vector<Busy>{{3300, 3400, 0}}));
  EXPECT_EQ(trace.quality().count("perfmon.straddler"), 5U);
  EXPECT_EQ(trace.quality().count("perfmon.outside_tasks"), 3U);
}

TEST(PipeLanes, MarksAreInstantsOfTheirPipe) {
  const Trace trace = pipes_trace(one_core(
      kTwoTasks,
      {{.time = 3000,
        .task = 2,
        .bytes = words_of({{1100, 1300, Pipe::kMte2}}, {{1150, Pipe::kMte2, 4095}, {2050, Pipe::kSu, 0}})}}));
  ASSERT_EQ(trace.instants().size(), 2U);
  const auto tracks = trace::pipe_tracks(trace, trace::chip_run(trace))[0].pipes;
  const auto expect_mark = [&](Pipe pipe, std::int64_t time, std::string_view name, std::uint64_t id) {
    const trace::RowRange rows = trace.instants_of(tracks[static_cast<std::size_t>(pipe)]);
    ASSERT_EQ(rows.count, 1U);
    EXPECT_EQ(trace.instants().time[rows.first], Ticks{time});
    EXPECT_EQ(trace.text(trace.instants().name[rows.first]), name);
    const trace::ArgId first = trace.instants().first_arg[rows.first];
    EXPECT_EQ(trace.find_arg(first, trace::arg::kMarkId).as_uint(), id);
    EXPECT_EQ(trace.text(trace.find_arg(first, trace::arg::kPipe).as_text()), name_of(pipe));
    EXPECT_EQ(trace.find_arg(first, trace::arg::kTask).as_uint(), id == 4095 ? 1U : 0U);
  };
  expect_mark(Pipe::kMte2, 1150, "mark 4095", 4095);
  expect_mark(Pipe::kSu, 2050, "mark 0", 0);
}

TEST(PipeLanes, OverwrittenBytesLeaveAGapUpToTheNextState) {
  // The first drain ends while MTE2 is busy; of the second, the beginning is lost.
  std::vector<std::byte> first = words_of({{1100, 1300, Pipe::kMte2}});
  first.resize(first.size() - 4);
  const Trace trace = pipes_trace(
      one_core(kTwoTasks, {{.time = 2000, .task = 1, .bytes = first},
                           {.time = 3010,
                            .task = 2,
                            .bytes = words_of({{2500, 2600, Pipe::kCube}, {2500, 2550, Pipe::kMte2}}),
                            .lost = 400}}));
  EXPECT_EQ(busy(trace, 0, Pipe::kMte2), (std::vector<Busy>{{1100, 1100, 1, SliceFlag::kEndUnknown},
                                                            {2500, 2550, 2, SliceFlag::kBeginUnknown}}));
  EXPECT_EQ(busy(trace, 0, Pipe::kCube), (std::vector<Busy>{{2500, 2600, 2, SliceFlag::kBeginUnknown}}));
  EXPECT_EQ(gaps(trace), (std::vector<std::string>{"1100-2500 overwritten before it was drained",
                                                   "2600-3000 overwritten before it was drained"}));
  EXPECT_EQ(trace.quality().count("perfmon.bytes_lost"), 400U);
  EXPECT_EQ(trace.quality().count("perfmon.task_partial"), 2U);
}

TEST(PipeLanes, WhenNothingWasBusyAllIsKnownUpToTheDrainBefore) {
  const Trace trace = pipes_trace(one_core(
      kTwoTasks, {{.time = 2005, .task = 1, .bytes = words_of({{1100, 1300, Pipe::kMte2}})},
                  {.time = 3010, .task = 2, .bytes = words_of({{2500, 2600, Pipe::kCube}}), .lost = 4}}));
  EXPECT_EQ(gaps(trace), (std::vector<std::string>{"2005-2500 overwritten before it was drained",
                                                   "2600-3000 overwritten before it was drained"}));
  EXPECT_EQ(trace.quality().count("perfmon.task_partial"), 1U) << "the first task is whole";
  EXPECT_EQ(trace.quality().count("perfmon.task_without"), 0U);
}

TEST(PipeLanes, AUnitThatIsNotAsItHadToBeLeavesAGap) {
  const Trace trace =
      pipes_trace(one_core({{0, 1, 0, 1000, 2000}, {0, 2, 0, 2100, 3000}, {0, 3, 0, 3100, 4000}},
                           {{.time = 2005, .task = 1, .bytes = words_of({{1100, 1300, Pipe::kMte2}})},
                            {.time = 3005, .task = 2, .bytes = {}, .state = 3},
                            {.time = 4005, .task = 3, .bytes = words_of({{3200, 3300, Pipe::kMte2}})}}));
  EXPECT_EQ(
      gaps(trace),
      (std::vector<std::string>{
          "2005-3200 the performance monitor was not as it had to be: somebody else has turned it off"}));
  EXPECT_EQ(trace.quality().count("perfmon.unit_state"), 1U);
  EXPECT_EQ(trace.quality().count("perfmon.task_without"), 1U);
  EXPECT_EQ(trace.quality().count("perfmon.task_partial"), 1U);
}

TEST(PipeLanes, UnitsThatRunOrWereStoppedAsTheyHadToBeAreWell) {
  for (const std::uint32_t state : {0U, 1U, 2U, 9U}) {
    const Trace trace = pipes_trace(one_core(
        kTwoTasks,
        {{.time = 3000, .task = 2, .bytes = words_of({{1100, 1300, Pipe::kMte2}}), .state = state}}));
    EXPECT_TRUE(gaps(trace).empty()) << state;
    EXPECT_EQ(trace.quality().count("perfmon.unit_state"), 0U) << state;
  }
  EXPECT_EQ(unit_state_text(77), "state 77");
}

TEST(PipeLanes, AUnitThatWasStartedAnewDoesNotContinue) {
  // The second drain has no stamp: had it continued, its words could be dated.
  std::vector<std::byte> second = words_of({{2200, 2300, Pipe::kMte2}});
  second.erase(second.begin(), second.begin() + 16);
  const std::vector<std::byte> third = words_of({{2700, 2800, Pipe::kMte2}});
  SamplePipes run =
      one_core(kTwoTasks, {{.time = 2000, .task = 1, .bytes = words_of({{1100, 1300, Pipe::kMte2}})},
                           {.time = 2500, .task = 2, .bytes = second, .started_anew = true},
                           {.time = 3000, .task = 2, .bytes = third}});
  const Trace trace = pipes_trace(run);
  EXPECT_EQ(busy(trace, 0, Pipe::kMte2),
            (std::vector<Busy>{{1100, 1300, 1}, {2700, 2800, 2, SliceFlag::kBeginUnknown}}));
  EXPECT_EQ(gaps(trace), (std::vector<std::string>{"2000-2700 the performance monitor was started anew"}));
  EXPECT_EQ(trace.quality().count("perfmon.started_anew"), 1U);
}

// A buffer that does not go round loses what comes behind its end.
TEST(PipeLanes, BehindADrainThatLostSomethingNothingIsTakenForIdleness) {
  const Trace trace = pipes_trace(one_core(
      kTwoTasks, {{.time = 3000, .task = 2, .bytes = words_of({{1100, 1300, Pipe::kMte2}}), .lost = 40}}));
  EXPECT_EQ(gaps(trace), (std::vector<std::string>{"1000-1100 overwritten before it was drained",
                                                   "1300-3000 overwritten before it was drained"}));
}

TEST(PipeLanes, WordsWithoutAStampCannotBeDated) {
  std::vector<std::byte> bytes = words_of({{1100, 1300, Pipe::kMte2}});
  bytes.erase(bytes.begin(), bytes.begin() + 16);  // the stamp
  const std::vector<std::byte> more = words_of({{1500, 1600, Pipe::kCube}});
  bytes.insert(bytes.end(), more.begin(), more.end());
  const Trace trace = pipes_trace(one_core(kTwoTasks, {{.time = 3000, .task = 2, .bytes = bytes}}));
  EXPECT_TRUE(busy(trace, 0, Pipe::kMte2).empty());
  EXPECT_EQ(gaps(trace), (std::vector<std::string>{"1000-1500 words without a time"}));
  EXPECT_EQ(trace.quality().count("perfmon.undatable"), 2U);
}

TEST(PipeLanes, UnknownAndTornWordsAreCounted) {
  std::vector<std::byte> bytes = words_of({{1100, 1300, Pipe::kMte2}});
  for (const unsigned byte : {0x05U, 0x00U, 0x00U, 0x90U, 0x01U, 0x02U})
    bytes.push_back(static_cast<std::byte>(byte));
  const Trace trace = pipes_trace(one_core(kTwoTasks, {{.time = 3000, .task = 2, .bytes = bytes}}));
  EXPECT_EQ(trace.quality().count("perfmon.unknown_words"), 1U);
  EXPECT_EQ(trace.quality().count("perfmon.torn"), 2U);
  EXPECT_EQ(busy(trace, 0, Pipe::kMte2), (std::vector<Busy>{{1100, 1300, 1}}));
}

TEST(PipeLanes, ATraceThatEndsWhileAPipeIsBusyIsCutOff) {
  std::vector<std::byte> bytes = words_of({{1100, 1300, Pipe::kMte2}, {2200, 2400, Pipe::kVec}});
  bytes.resize(bytes.size() - 4);
  const Trace trace = pipes_trace(one_core(kTwoTasks, {{.time = 3000, .task = 2, .bytes = bytes}}));
  EXPECT_EQ(busy(trace, 0, Pipe::kVec), (std::vector<Busy>{{2200, 2200, 2, SliceFlag::kEndUnknown}}));
  EXPECT_EQ(gaps(trace), (std::vector<std::string>{"2200-3000 the trace ends while a pipe is busy"}));
}

TEST(PipeLanes, CoresWithoutADrainAndCoresThatWroteNothingAreNamed) {
  SamplePipes run =
      one_core({{0, 1, 0, 1000, 2000}, {1, 2, 0, 1000, 2000}, {2, 3, 0, 1000, 2000}},
               {{.core = 0, .time = 2000, .task = 1, .bytes = words_of({{1100, 1300, Pipe::kMte2}})},
                {.core = 1, .time = 2000, .task = 2}});
  run.cores = {CoreType::kCube, CoreType::kVector, CoreType::kVector};
  const Trace trace = pipes_trace(run);
  EXPECT_TRUE(gaps(trace, 0).empty());
  EXPECT_EQ(gaps(trace, 1), (std::vector<std::string>{"1000-2000 the performance monitor wrote nothing"}));
  EXPECT_EQ(gaps(trace, 2), (std::vector<std::string>{"1000-2000 never drained"}));
  EXPECT_EQ(trace.quality().count("perfmon.silent_core"), 1U);
  EXPECT_EQ(trace.quality().count("perfmon.task_without"), 2U);
}

SamplePipes five_drains() {
  SamplePipes run = one_core({}, {});
  for (std::uint64_t i = 0; i < 5; ++i) {
    const std::uint64_t start = 1000 + 1000 * i;
    run.tasks.push_back({0, i + 1, 0, start, start + 900});
    std::vector<PipeSpan> spans;
    for (std::uint64_t k = 0; k < 10 + i; ++k)  // blocks of different numbers
      spans.push_back({static_cast<std::int64_t>(start + 10 + 20 * k),
                       static_cast<std::int64_t>(start + 20 + 20 * k), Pipe::kMte2});
    run.drains.push_back({.time = start + 900, .task = i + 1, .bytes = words_of(spans)});
  }
  return run;
}

TEST(PipeLanes, DrainsBehindAHoleAreFoundFromTheEnd) {
  SamplePipes run = five_drains();
  run.left_out = {2};
  const Trace trace = pipes_trace(run);
  const std::vector<Busy> all = busy(trace, 0, Pipe::kMte2);
  EXPECT_EQ(all.size(), 10U + 11 + 13 + 14);
  for (const Busy& interval : all) EXPECT_EQ(interval.to - interval.from, 10);
  EXPECT_EQ(gaps(trace), (std::vector<std::string>{"2900-4010 a drain is missing"}));
  EXPECT_EQ(trace.quality().count("perfmon.drain_missing"), 1U);
  EXPECT_EQ(trace.quality().count("perfmon.task_without"), 1U);
}

TEST(PipeLanes, DrainsBetweenTwoHolesHaveNoPlace) {
  SamplePipes run = five_drains();
  run.left_out = {1, 3};
  const Trace trace = pipes_trace(run);
  EXPECT_EQ(busy(trace, 0, Pipe::kMte2).size(), 10U + 14);
  EXPECT_EQ(gaps(trace), (std::vector<std::string>{"1900-5010 a drain is missing"}));
  EXPECT_EQ(trace.quality().count("perfmon.drain_unplaced"), 1U);
}

TEST(PipeLanes, WhereTheEndOfBlocksIsNotThatOfDrainsNothingIsGuessed) {
  SamplePipes run = five_drains();
  run.left_out = {2};
  run.blocks_dropped = 1;  // of the last drain
  const Trace trace = pipes_trace(run);
  EXPECT_EQ(busy(trace, 0, Pipe::kMte2).size(), 10U + 11);
  EXPECT_EQ(trace.quality().count("perfmon.drain_unplaced"), 2U);
}

TEST(PipeLanes, MissingBlocksAreALossOfTheirDrainOnly) {
  SamplePipes run = five_drains();
  run.blocks_dropped = 1;
  const Trace trace = pipes_trace(run);
  EXPECT_EQ(busy(trace, 0, Pipe::kMte2).size(), 10U + 11 + 12 + 13);
  EXPECT_EQ(gaps(trace), (std::vector<std::string>{"4900-5900 blocks are missing"}));
  EXPECT_EQ(trace.quality().count("perfmon.block_missing"), 1U);
}

TEST(PipeLanes, TheRatioOfClocksIsThatOfTheRecording) {
  // Stamps are in ticks of the counter, deltas in cycles: ten of them are a tick.
  SamplePipes run =
      one_core(kTwoTasks, {{.time = 3000, .task = 2, .bytes = words_of({{1100, 1300, Pipe::kMte2}})}});
  run.perfmon_cycles = 10;
  EXPECT_EQ(busy(pipes_trace(run), 0, Pipe::kMte2), (std::vector<Busy>{{1100, 1120, 1}}));
  run.perfmon_cycles = 0;
  EXPECT_EQ(pipes_trace(run).quality().count("perfmon.unreadable"), 1U);
  run.perfmon_cycles = 1;
  run.layout = "no such words";
  EXPECT_EQ(pipes_trace(run).quality().count("perfmon.unreadable"), 1U);
}

// Whatever a file says: gaps are in order and apart, intervals run forwards, nothing is read that is not
// there.
TEST(RecordedPipes, AnyDrainsAndBlocksMakeSense) {
  std::mt19937 engine(11);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  const std::vector<std::byte> good = words_of({{100, 200, Pipe::kMte2}, {150, 90'000, Pipe::kCube}});
  for (int round = 0; round < 2000; ++round) {
    RecordedPipes recorded;
    for (unsigned i = random() % 6; i > 0; --i) {
      recorder::PerfmonDrainRecord drain = {};
      drain.time = random() % 4 == 0 ? ~std::uint64_t{0} : random() % 2000;
      drain.core = random() % 3;
      drain.sequence = random() % 8 == 0 ? random() : random() % 6;
      drain.copied = random() % 8 == 0 ? random() : random() % 300;
      drain.written = random() % 2 == 0 ? drain.copied : random() % 400;
      drain.state = random() % 4 == 0 ? random() % 3 : 0;
      recorded.add(std::span(&drain, 1));
    }
    for (unsigned i = random() % 5; i > 0; --i) {
      std::vector<recorder::PerfmonBlockRecord> blocks(random() % 4);
      for (recorder::PerfmonBlockRecord& block : blocks)
        for (std::size_t at = 0; at < sizeof block.bytes; ++at)
          block.bytes[at] = random() % 3 == 0 ? static_cast<unsigned char>(random())
                                              : static_cast<unsigned char>(good[at % good.size()]);
      recorded.add(blocks, random() % 3, random() % 8 == 0 ? ~std::uint64_t{0} - random() % 3 : random() % 8);
    }
    const capture::RecordingFacts facts{.dfx_flags = kDfxCoreSwimlane};
    const std::optional<PipeRecording> pipes = std::move(recorded).settle(facts, random() % 2 == 0, "x");
    ASSERT_TRUE(pipes);
    for (const CorePipes& core : pipes->cores) {
      Ticks last = Ticks::min();
      for (const RecordedGap& gap : core.gaps) {
        EXPECT_GE(gap.from, last);
        EXPECT_GT(gap.to, gap.from);
        last = gap.to;
      }
      for (const BusyList& pipe : core.busy) {
        Ticks begin = Ticks::min();
        pipe.for_each([&](const BusyTime& busy) {
          EXPECT_LE(busy.begin, busy.end);
          EXPECT_LE(std::exchange(begin, busy.begin), busy.begin);
        });
      }
    }
  }
}

TEST(CoreData, OfAStretchIsWhatItsGapsLeave) {
  const trace::StringId loss{1};
  const trace::StringId unit{2};
  const std::vector<trace::PipeGap> gaps = {{Ticks{10}, Ticks{20}, loss}, {Ticks{30}, Ticks{50}, unit}};
  const auto expect = [&](std::int64_t from, std::int64_t to, CoreData::Known known, std::int64_t unknown,
                          trace::StringId cause) {
    const CoreData data = core_data_in(gaps, Ticks{from}, Ticks{to});
    EXPECT_EQ(data.known, known) << from << "-" << to;
    EXPECT_EQ(data.unknown, Ticks{unknown}) << from << "-" << to;
    EXPECT_EQ(data.cause, cause) << from << "-" << to;
  };
  const trace::StringId none = trace::StringId::kEmpty;
  expect(0, 10, CoreData::Known::kAll, 0, none);
  expect(20, 30, CoreData::Known::kAll, 0, none);
  expect(0, 11, CoreData::Known::kSome, 1, loss);
  expect(15, 40, CoreData::Known::kSome, 15, unit);
  expect(30, 50, CoreData::Known::kNothing, 20, unit);
  expect(12, 13, CoreData::Known::kNothing, 1, loss);
  expect(15, 15, CoreData::Known::kNothing, 0, loss);
  expect(25, 25, CoreData::Known::kAll, 0, none);
}

}  // namespace
}  // namespace accelscope::formats::chip_run
