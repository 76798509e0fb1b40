// Recordings as traces: the same as from JSON, with what only records have, and what is said of those that
// are not whole.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "accelscope/dfx_flags.h"
#include "formats/capture/container_reader.h"
#include "formats/capture/trace_chunks.h"
#include "formats/chip_run/recording_reader.h"
#include "formats/chip_run/sample_recordings.h"
#include "formats/chip_swimlane/capture_writer.h"
#include "formats/chip_swimlane/sample_captures.h"
#include "support/trace_equality.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using base::MappedFile;
using base::MemoryOutput;
using capture::LaneTotals;
using capture::RecordingFacts;
using capture::RecordingWriter;
using chip_swimlane::Capture;
using recorder::BufferHeader;
using recorder::CoreTaskRecord;
using recorder::RecordKind;
using trace::Trace;

Capture json_capture(std::string_view json) {
  auto capture = chip_swimlane::read_capture(MappedFile::from_memory("run", json));
  EXPECT_TRUE(capture) << capture.error().to_string();
  return *std::move(capture);
}

Capture synthetic_capture(int level, std::uint64_t tasks = 5000) {
  MemoryOutput out;
  chip_swimlane::write_synthetic_run({.tasks = tasks, .level = level}, out);
  return json_capture(out.bytes());
}

std::string recorded(const Capture& capture, const SampleOptions& options = {}) {
  MemoryOutput out;
  EXPECT_TRUE(record(capture, out, options));
  return std::string(out.bytes());
}

Recording rows_of(std::string_view bytes) {
  auto rows = read_recorded_rows(MappedFile::from_memory("run", bytes));
  EXPECT_TRUE(rows) << rows.error().to_string();
  return *std::move(rows);
}

Trace recorded_trace(std::string_view bytes) {
  auto trace = read_recording(MappedFile::from_memory("x.astrace", bytes));
  EXPECT_TRUE(trace) << trace.error().to_string();
  return *std::move(trace);
}

const trace::SourceFile kSource{"run", "chip-swimlane", "", 1};

// Everything but the source and the account, which only a recording has.
void expect_same_trace(const Capture& capture) {
  MemoryOutput json;
  chip_swimlane::write_capture(capture, json);
  const auto expected = make_chip_trace(json_capture(json.bytes()), {}, kSource);
  Recording recording = rows_of(recorded(capture, {.records_per_buffer = 100}));
  recording.siblings.recorder.reset();
  const auto trace = make_chip_trace(std::move(recording.capture), recording.siblings, kSource);
  ASSERT_TRUE(expected && trace);
  EXPECT_EQ(tests::differences(*expected, *trace), "");
  EXPECT_GT(trace->slices().size(), 0U);
}

TEST(Recording, IsTheSameTraceAsItsJson) {
  for (const int level : {1, 2, 4}) {
    SCOPED_TRACE(level);
    expect_same_trace(synthetic_capture(level));
  }
}

TEST(Recording, ControlTasksAndQueueDepthsAreThereAgain) {
  for (const chip_swimlane::SampleCapture& sample : chip_swimlane::sample_captures()) {
    if (sample.name != "raw-chip_swimlane_level-4") continue;
    Capture capture = json_capture(sample.json);
    // Control tasks are recorded without depths.
    for (auto& thread : capture.scheduler_threads)
      for (chip_swimlane::PhaseRow& row : thread)
        if (row.task) row.queues_at_start = row.queues_at_end = std::nullopt;
    expect_same_trace(capture);
    const Capture again = rows_of(recorded(capture)).capture;
    ASSERT_EQ(again.scheduler_threads.at(0).size(), 4U);
    EXPECT_EQ(again.scheduler_threads[0][3].task, 4294967299U);
    EXPECT_EQ(again.scheduler_threads[0][0].queues_at_start, (std::array<std::int64_t, 3>{1, 0, 0}));
    EXPECT_EQ(again.core_to_thread, (std::vector<std::int32_t>{0, 0}));
    return;
  }
  FAIL() << "the sample is gone";
}

TEST(Recording, LevelsAreThoseOfTheFlags) {
  EXPECT_EQ(rows_of(recorded(synthetic_capture(1))).capture.level, 1);
  EXPECT_EQ(rows_of(recorded(synthetic_capture(2))).capture.level, 2);
  EXPECT_EQ(rows_of(recorded(synthetic_capture(4))).capture.level, 4);
  EXPECT_EQ(rows_of(recorded(synthetic_capture(1))).capture.era, chip_swimlane::Era::kRawCycles);
}

TEST(Recording, IsSavedAndReadBackEqual) {
  const Trace trace = recorded_trace(recorded(synthetic_capture(4, 500)));
  MemoryOutput out;
  ASSERT_TRUE(capture::write(trace, out));
  const MappedFile file = MappedFile::from_memory("x.astrace", out.bytes());
  EXPECT_FALSE(is_recording(file));
  const auto again = capture::read(file);
  ASSERT_TRUE(again);
  EXPECT_EQ(tests::differences(trace, *again), "");
}

// A recording made buffer by buffer.
class HandMadeRecording {
 public:
  explicit HandMadeRecording(RecordingFacts facts = two_cores())
      : writer_(out_, facts, {.records_per_chunk = 1000}) {}

  static RecordingFacts two_cores() {
    return {.dfx_flags = dfx_flags_of_level(1),
            .clock = base::Frequency::mhz(50),
            .cores = {capture::CoreType::kCube, capture::CoreType::kVector}};
  }

  template <class Record>
  HandMadeRecording& buffer(std::uint32_t producer, const std::vector<Record>& records,
                            const capture::BufferFacts& facts = {}) {
    const BufferHeader header{.magic = recorder::kBufferMagic,
                              .kind = Record::kKind,
                              .record_bytes = sizeof(Record),
                              .producer = producer,
                              .buffer_number = 0,
                              .generation = 1,
                              .first_record = facts.first_record,
                              .count = static_cast<std::uint32_t>(records.size()),
                              .dropped_before = facts.dropped_before,
                              .paused_from = facts.paused_from,
                              .paused_to = facts.paused_to};
    EXPECT_TRUE(writer_.take(header, std::as_bytes(std::span(records))));
    return *this;
  }
  HandMadeRecording& cut() {
    EXPECT_TRUE(writer_.flush());
    return *this;
  }
  std::string finish(const std::vector<LaneTotals>& lanes = {}) {
    EXPECT_TRUE(writer_.finish(lanes));
    return std::string(out_.bytes());
  }
  std::string bytes() const { return std::string(out_.bytes()); }

 private:
  MemoryOutput out_;
  RecordingWriter writer_;
};

std::vector<CoreTaskRecord> tasks(std::uint32_t first, std::uint32_t count) {
  std::vector<CoreTaskRecord> records;
  for (std::uint32_t i = first; i < first + count; ++i)
    records.push_back({i * 100U, i, 50, 5, i, recorder::kNoFunction});
  return records;
}

LaneTotals account(std::uint32_t producer, std::uint64_t produced, std::uint64_t collected) {
  return {.kind = RecordKind::kCoreTask,
          .producer = producer,
          .produced = produced,
          .collected = collected,
          .flushed = true};
}

const trace::Accounting* accounting_of(const Trace& trace, std::string_view producer) {
  for (const trace::Accounting& row : trace.accounting())
    if (trace.text(row.producer) == producer) return &row;
  return nullptr;
}

std::vector<std::string> ids_of(const Trace& trace) {
  std::vector<std::string> ids;
  for (const trace::QualityRow& row : trace.quality().rows()) ids.push_back(row.id);
  return ids;
}

TEST(Recording, FunctionsAreNamed) {
  RecordingFacts facts = HandMadeRecording::two_cores();
  facts.functions = {{3, "matmul"}};
  const Trace trace =
      recorded_trace(HandMadeRecording(facts)
                         .buffer<CoreTaskRecord>(0, {{100, 1, 50, 5, 1, 3}, {200, 2, 50, 5, 2, 4}})
                         .finish({account(0, 2, 2)}));
  ASSERT_EQ(trace.slices().size(), 2U);
  EXPECT_EQ(trace.text(trace.slices().name[0]), "matmul");
  EXPECT_EQ(ids_of(trace), std::vector<std::string>{});
}

TEST(Recording, HasDependenciesCountersAndScopes) {
  RecordingFacts facts = HandMadeRecording::two_cores();
  facts.dfx_flags = dfx_flags_of_level(3) | kDfxDependencyCapture | kDfxPmu | kDfxScopeStats;
  facts.phases = {"submit"};
  facts.pmu_counters = {"vec_busy_cycles", "mte_busy_cycles"};
  facts.scope_sites = {"a.cpp:7"};
  facts.rings.heap = {1000, 0, 0, 0};
  using recorder::EdgeReason;
  const std::string bytes =
      HandMadeRecording(facts)
          .buffer(0, tasks(1, 2))
          .buffer<recorder::TaskLifecycleRecord>(0, {{90, 160, 1, 0}, {190, 260, 2, 0}})
          .buffer<recorder::TaskDescriptionRecord>(
              0, {{1, {0, -1, -1}, 2, recorder::TaskDescriptionRecord::kEarlyDispatch, 0},
                  {2, {1, -1, -1}, 1, 0, 0}})
          .buffer<recorder::EdgeRecord>(0, {{1, 2, EdgeReason::kExplicit, 0},
                                            {1, 2, EdgeReason::kTensorMap, 0},
                                            {2, 2, EdgeReason::kExplicit, 0},
                                            {1, 2, EdgeReason::kFanout, 0}})
          .buffer<recorder::PmuRecord>(0, {{2, 400, 2, 0, {100, 7}}, {1, 200, 1, 0, {50, 8}}})
          .buffer<recorder::OrchestratorPhaseRecord>(0, {{10, 1, 5, 0, 0, {}}, {20, 2, 5, 1, 0, {}}})
          .buffer<recorder::ScopeRecord>(
              0, {{0, 1, 0, 1, 0, 1, 0, 64, 0, 0, 3}, {0, 1, 0, 0, 0, 3, 0, 640, 0, 0, 4}})
          .buffer<recorder::TensorRecord>(0, {recorder::TensorRecord{}})
          .finish();
  const Recording rows = rows_of(bytes);
  ASSERT_TRUE(rows.siblings.deps && rows.siblings.pmu && rows.siblings.scope_stats);
  ASSERT_EQ(rows.siblings.deps->edges.size(), 1U);
  EXPECT_EQ(rows.siblings.deps->edges[0].reasons, deps::Reason::kExplicit | deps::Reason::kTensorMap);
  EXPECT_EQ(rows.siblings.pmu->counters, facts.pmu_counters);
  EXPECT_EQ(rows.siblings.pmu->rows.at(0).task, 1U);
  EXPECT_EQ(rows.siblings.scope_stats->boundaries.at(1).site, "a.cpp:7");
  const Trace trace = recorded_trace(bytes);
  EXPECT_EQ(trace.task_edges().size(), 1U);
  EXPECT_EQ(trace.tasks().blocks[0], 2U);
  EXPECT_EQ(trace.quality().count("recording.edge_to_itself"), 1U);
  EXPECT_EQ(trace.quality().count("recording.tensors_not_shown"), 1U);
  EXPECT_EQ(trace.quality().count("chip_run.pmu_row_unmatched"), 0U);
  EXPECT_EQ(trace.quality().count("chip_run.deps_of_another_run"), 0U);
}

TEST(Recording, EdgesWithoutDescriptionsAreStillEdges) {
  const Trace trace =
      recorded_trace(HandMadeRecording()
                         .buffer(0, tasks(1, 2))
                         .buffer<recorder::EdgeRecord>(0, {{1, 2, recorder::EdgeReason::kCreator, 0}})
                         .finish());
  EXPECT_EQ(trace.task_edges().size(), 1U);
}

TEST(Recording, DropsPausesAndLimitsAreAccounted) {
  LaneTotals first = account(0, 12, 4);
  first.dropped = {5, 2, 1};
  first.timeouts = 3;
  first.refused_buffers = 1;
  LaneTotals second = account(1, 3, 3);
  second.flushed = false;
  const Trace trace = recorded_trace(
      HandMadeRecording()
          .buffer(0, tasks(1, 2))
          .buffer(0, tasks(10, 2),
                  {.first_record = 9, .dropped_before = 7, .paused_from = 300, .paused_to = 900})
          .buffer(1, tasks(1, 3))
          .finish({first, second}));
  const trace::Accounting* row = accounting_of(trace, "core tasks");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->produced, 15U);
  EXPECT_EQ(row->collected, 7U);
  EXPECT_EQ(row->dropped, 8U);
  EXPECT_EQ(trace.text(row->drop_reason), "no empty buffer: 5; time limit of a wait: 2; host had stopped: 1");
  EXPECT_EQ(accounting_of(trace, "cores"), nullptr);
  EXPECT_EQ(trace.quality().count("recording.dropped"), 8U);
  EXPECT_EQ(trace.quality().count("recording.wait_timed_out"), 3U);
  EXPECT_EQ(trace.quality().count("recording.buffer_refused"), 1U);
  EXPECT_EQ(trace.quality().count("recording.not_flushed"), 1U);
  EXPECT_EQ(trace.quality().count("recording.paused"), 1U);
  EXPECT_EQ(trace.quality().count("recording.buffer_missing"), 0U);
  EXPECT_EQ(trace.quality().count("recording.accounts_differ"), 0U);
  // The pause is a state below the core.
  ASSERT_EQ(trace.states().size(), 1U);
  EXPECT_EQ(trace.text(trace.states().state[0]), trace::state::kFrozen);
  EXPECT_EQ(trace.states().start[0].value, 300);
  EXPECT_EQ(trace.states().duration[0].value, 600);
  const trace::Track& track = trace.tracks()[index(trace.states().track[0])];
  EXPECT_EQ(trace.text(trace.tracks()[index(track.parent)].name), "AIC 0");
}

TEST(Recording, NumbersThatDoNotFollowAreSaid) {
  const Trace trace = recorded_trace(HandMadeRecording()
                                         .buffer(0, tasks(1, 2))
                                         .buffer(0, tasks(8, 2), {.first_record = 7})
                                         .buffer(0, tasks(10, 2), {.first_record = 3})
                                         .buffer(1, tasks(5, 2), {.first_record = 4})
                                         .finish({account(0, 9, 6), account(1, 6, 9)}));
  EXPECT_EQ(trace.quality().count("recording.buffer_missing"), 5U);
  EXPECT_EQ(trace.quality().count("recording.buffer_out_of_order"), 1U);
  EXPECT_EQ(trace.quality().count("recording.begins_late"), 4U);
  EXPECT_EQ(trace.quality().count("recording.accounts_differ"), 1U);
  EXPECT_EQ(trace.slices().size(), 8U);
}

TEST(Recording, FlightRecordersKeepTheLast) {
  RecordingFacts facts = HandMadeRecording::two_cores();
  facts.policy = "overwrite";
  const Trace trace = recorded_trace(
      HandMadeRecording(facts).buffer(0, tasks(100, 4), {.first_record = 99}).finish({account(0, 103, 103)}));
  const trace::Accounting* row = accounting_of(trace, "core tasks");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->produced, 103U);
  EXPECT_EQ(row->collected, 4U);
  EXPECT_EQ(row->dropped, 99U);
  EXPECT_EQ(trace.quality().count("recording.begins_late"), 99U);
  EXPECT_EQ(trace.quality().count("chip_swimlane.lost_rows"), 0U);
  EXPECT_EQ(trace.quality().count("recording.accounts_differ"), 0U);
}

TEST(Recording, ClockFaultsAreNoTimes) {
  const Trace trace =
      recorded_trace(HandMadeRecording()
                         .buffer<CoreTaskRecord>(0, {{100, 1, recorder::kBackwards, 5, 1, 0},
                                                     {200, 2, 50, recorder::kBackwards, 2, 0},
                                                     {300, 3, recorder::kTooLong, recorder::kTooLong, 3, 0},
                                                     {std::uint64_t{1} << 63U, 4, 50, 5, 4, 0},
                                                     {(std::uint64_t{1} << 63U) - 10, 5, 50, 5, 5, 0}})
                         .buffer<recorder::TaskLifecycleRecord>(0, {{250, 240, 2, 0}, {UINT64_MAX, 5, 1, 0}})
                         .finish());
  ASSERT_EQ(trace.slices().size(), 3U);
  EXPECT_EQ(trace.slices().duration[0].value, 0);
  EXPECT_EQ(trace.slices().flags[0], trace::SliceFlag::kEndUnknown);
  EXPECT_EQ(trace.slices().duration[1].value, 50);
  EXPECT_EQ(trace.slices().flags[1], trace::SliceFlag::kNone);
  EXPECT_EQ(trace.slices().duration[2].value, std::int64_t{recorder::kBackwards});
  EXPECT_EQ(trace.slices().flags[2], trace::SliceFlag::kEndUnknown);
  EXPECT_EQ(trace.quality().count("recording.clock_backwards"), 3U);
  EXPECT_EQ(trace.quality().count("recording.too_long"), 2U);
  EXPECT_EQ(trace.quality().count("recording.impossible_time"), 3U);
}

TEST(Recording, ImpossibleProducersAndPausesAreLeftOut) {
  const Trace trace = recorded_trace(
      HandMadeRecording()
          .buffer(0, tasks(1, 2), {.paused_from = 9, .paused_to = 3})
          .buffer(70'000, tasks(1, 2))
          .buffer<recorder::SchedulerPhaseRecord>(UINT32_MAX, {recorder::SchedulerPhaseRecord{}})
          .buffer<recorder::SchedulerPhaseRecord>(1, {{5, 3, 0, 0, 77, {0, 0, 0}, 0, 0}})
          .finish());
  EXPECT_EQ(trace.quality().count("recording.impossible_pause"), 1U);
  EXPECT_EQ(trace.quality().count("recording.impossible_producer"), 1U);
  EXPECT_EQ(trace.quality().count("chip_swimlane.impossible_core"), 2U);
  EXPECT_EQ(trace.quality().count("recording.phase_without_name"), 1U);
  EXPECT_EQ(trace.states().size(), 0U);
  const trace::SliceTable& slices = trace.slices();
  ASSERT_EQ(slices.size(), 3U);
  EXPECT_EQ(trace.text(slices.name[0]), "phase 77");
}

// Every place where a file can end: nothing fails, and what is there of a producer is its beginning.
TEST(Recording, CutAnywhereGivesTheBeginning) {
  const Capture whole = synthetic_capture(4, 300);
  const std::string bytes =
      recorded(whole, {.records_per_buffer = 7, .writer = {.records_per_chunk = 40, .waiting_buffers = 9}});
  std::size_t most = 0;
  for (std::size_t size = capture::kFileHeaderBytes; size < bytes.size(); size += size % 5 == 0 ? 1 : 13) {
    const MappedFile file = MappedFile::from_memory("x.astrace", std::string_view(bytes).substr(0, size));
    if (!is_recording(file)) {
      EXPECT_LT(size, 400U);
      continue;
    }
    const auto rows = read_recorded_rows(file);
    ASSERT_TRUE(rows) << size << ": " << rows.error().to_string();
    EXPECT_EQ(rows->capture.quality.count("astrace.ended_early"), 1U) << size;
    std::size_t found = 0;
    for (std::size_t core = 0; core < rows->capture.cores.size(); ++core) {
      const auto& part = rows->capture.cores[core].task;
      const auto& all = whole.cores[core].task;
      ASSERT_LE(part.size(), all.size());
      EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin()));
      found += part.size();
    }
    EXPECT_GE(found, most);  // more bytes, not fewer records
    most = found;
    EXPECT_TRUE(size % 11 != 0 || read_recording(file)) << size;
  }
  EXPECT_EQ(most, 300U);
}

TEST(Recording, SaysWhatWasCollectedAndNeverWritten) {
  HandMadeRecording made;
  made.buffer(0, tasks(1, 5)).cut().buffer(0, tasks(6, 5), {.first_record = 5});
  // The next chunk is another kind's: its header counts the five that wait.
  made.buffer<recorder::TaskLifecycleRecord>(0, std::vector<recorder::TaskLifecycleRecord>(1000));
  const Trace trace = recorded_trace(made.bytes());
  EXPECT_EQ(trace.quality().count("recording.records_missing"), 5U);
  EXPECT_EQ(trace.quality().count("recording.no_accounts"), 1U);
  const trace::Accounting* row = accounting_of(trace, "core tasks");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->produced, 5U);
  EXPECT_EQ(row->collected, 5U);
}

TEST(Recording, ChangedBytesAreNoticedAndHarmless) {
  const std::string bytes = recorded(synthetic_capture(4, 60), {.records_per_buffer = 10});
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    std::string changed = bytes;
    const std::size_t place =
        capture::kFileHeaderBytes + random() % (bytes.size() - capture::kFileHeaderBytes);
    changed[place] = static_cast<char>(changed[place] ^ static_cast<char>(1 + random() % 255));
    const MappedFile file = MappedFile::from_memory("x.astrace", changed);
    if (!is_recording(file)) continue;
    const auto trace = read_recording(file);
    ASSERT_TRUE(trace) << place;
    EXPECT_EQ(trace->quality().count("astrace.damaged") + trace->quality().count("astrace.ended_early"), 1U)
        << place;
  }
}

// What a newer version could add is skipped and counted.
TEST(Recording, NewerKindsTablesAndColumnsAreSkipped) {
  MemoryOutput out;
  capture::ContainerWriter writer(out);
  RecordingFacts facts = HandMadeRecording::two_cores();
  capture::write_facts(facts, writer);
  capture::RowsEncoder rows;
  rows.begin("weather", 0, 1);
  rows.add<std::uint32_t>("rain", [](std::uint32_t) { return 3U; });
  writer.add_chunk(capture::ChunkKind::kRecordingRows, 1, rows.finish());
  rows.begin("phases", 0, 1);
  const std::string name = "dispatch";
  rows.add<std::string>("name", [&](std::uint32_t) -> const std::string& { return name; });
  rows.add<std::uint32_t>("colour", [](std::uint32_t) { return 3U; });
  writer.add_chunk(capture::ChunkKind::kRecordingRows, 1, rows.finish());
  const std::array fields{capture::plain(0, 8)};
  capture::RecordsEncoder unknown({RecordKind{500}, 8, fields});
  const std::array<std::uint64_t, 4> values{1, 2, 3, 4};
  unknown.add({.count = 4}, reinterpret_cast<const std::byte*>(values.data()));
  writer.add_chunk(capture::ChunkKind::kRecords, 4, unknown.finish());
  writer.add_chunk(capture::ChunkKind{99}, 1, "?");
  capture::RecordsEncoder known(capture::layout_of<CoreTaskRecord>());
  const auto records = tasks(1, 3);
  known.add({.count = 3}, reinterpret_cast<const std::byte*>(records.data()));
  writer.add_chunk(capture::ChunkKind::kRecords, 3, known.finish());
  ASSERT_TRUE(writer.finish());
  const Trace trace = recorded_trace(out.bytes());
  EXPECT_EQ(trace.slices().size(), 3U);
  EXPECT_EQ(trace.quality().count("recording.unknown_records"), 4U);
  EXPECT_EQ(trace.quality().count("astrace.unknown_chunk"), 1U);
  EXPECT_EQ(trace.quality().count("astrace.unknown_column"), 2U);
  EXPECT_NE(accounting_of(trace, "records of kind 500"), nullptr);
}

TEST(Recording, ChunksThatContradictThemselvesAreErrors) {
  for (const capture::ChunkKind kind : {capture::ChunkKind::kRecords, capture::ChunkKind::kRecordingRows}) {
    MemoryOutput out;
    capture::ContainerWriter writer(out);
    capture::write_facts({}, writer);
    const std::uint64_t place = out.written();
    writer.add_chunk(kind, 1, "no such thing");
    ASSERT_TRUE(writer.finish());
    const auto trace = read_recording(MappedFile::from_memory("x.astrace", out.bytes()));
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().code, base::ErrorCode::kMalformed);
    EXPECT_EQ(trace.error().where.position, place);
  }
}

TEST(Recording, EveryKindIsUsed) {
  MemoryOutput out;
  ASSERT_TRUE(record_everything(out));
  const Trace trace = recorded_trace(out.bytes());
  for (std::uint16_t kind = 1; kind <= static_cast<std::uint16_t>(RecordKind::kScope); ++kind) {
    const trace::Accounting* row = accounting_of(trace, capture::records_name(RecordKind{kind}));
    ASSERT_NE(row, nullptr) << kind;
    EXPECT_GT(row->collected, 0U) << kind;
  }
  EXPECT_EQ(trace.quality().count("recording.unknown_records"), 0U);
  EXPECT_EQ(trace.quality().count("recording.accounts_differ"), 0U);
  EXPECT_GT(trace.states().size(), 0U);
  EXPECT_GT(trace.counters().size(), 0U);
  EXPECT_EQ(trace.task_edges().size(), 1U);
}

TEST(Recording, AnEmptyOneIsATraceWithNothing) {
  const Trace trace = recorded_trace(HandMadeRecording().finish());
  EXPECT_EQ(trace.slices().size(), 0U);
  EXPECT_EQ(trace.sources()[0].detail, "recording");
}

}  // namespace
}  // namespace accelscope::formats::chip_run
