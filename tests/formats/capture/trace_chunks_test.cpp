// Whole traces saved in a capture file come back equal, in every column of every table.
#include "formats/capture/trace_chunks.h"

#include <gtest/gtest.h>

#include <set>

#include "formats/capture/container_reader.h"
#include "formats/capture/container_writer.h"
#include "formats/capture/full_trace.h"
#include "formats/capture/rows_chunk.h"
#include "formats/capture/strings_chunk.h"
#include "formats/chip_run/chip_run_files.h"
#include "formats/chip_swimlane/sample_captures.h"
#include "formats/chrome_json/reader.h"
#include "formats/etdump/etdump_reader.h"
#include "formats/etdump/etdump_writer.h"
#include "formats/etdump/sample_dumps.h"
#include "support/chip_simulation.h"
#include "support/trace_equality.h"
#include "support/trace_sketch.h"

namespace accelscope::formats::capture {
namespace {

using base::MappedFile;
using tests::differences;
using trace::Trace;

std::string saved(const Trace& trace) {
  base::MemoryOutput out;
  EXPECT_TRUE(write(trace, out));
  return std::string(out.bytes());
}

base::Result<Trace> opened(std::string_view bytes) {
  return read(MappedFile::from_memory("x.astrace", bytes));
}

void expect_comes_back(const Trace& trace) {
  const auto again = opened(saved(trace));
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(differences(trace, *again), "");
}

TEST(TraceChunks, EmptyTraceComesBack) {
  auto trace = trace::TraceBuilder().finish();
  ASSERT_TRUE(trace);
  expect_comes_back(*trace);
}

TEST(TraceChunks, TraceWithAllTablesComesBack) {
  for (const int rows : {0, 1, 2, 300})
    for (const std::uint32_t seed : {1U, 2U, 3U}) expect_comes_back(full_trace(seed, rows));
}

TEST(TraceChunks, FullTraceHasRowsInEveryTableOfTheSchema) {
  const Trace trace = full_trace(1, 300);
  std::set<std::string_view> filled{"clock_samples", "clock_knots"};
  trace::for_each_table([&](std::string_view name, auto rows, auto) {
    if ((trace.*rows)().size() > 0) filled.insert(name);
  });
  for (const trace::TableSchema& table : trace::schema())
    EXPECT_EQ(filled.count(table.name), 1U) << table.name;
  EXPECT_EQ(filled.size(), trace::schema().size());
}

TEST(TraceChunks, TableOfManyChunksComesBack) {
  // One slice more than two chunks hold, tracks interleaved as recorders deliver them.
  tests::OneTrackSketch sketch;
  const trace::TrackId other = sketch.builder.add_track(
      {.name = sketch.builder.intern("b"), .clock = sketch.clock}, trace::Nesting::kByCompletion);
  for (std::int64_t i = 0; i <= 2 * std::int64_t{kMaxRowsOfChunk}; ++i)
    sketch.add(i % 2 == 0 ? sketch.track : other, std::to_string(i % 1000), i * 10, i * 10 + i % 17);
  expect_comes_back(sketch.finish());
}

TEST(TraceChunks, ExtremeValuesComeBack) {
  tests::OneTrackSketch sketch;
  sketch.add("first", std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::min());
  sketch.add("last", std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max());
  sketch.add("zero", 0, std::numeric_limits<std::int64_t>::max());
  sketch.builder.add_task({.external_id = std::numeric_limits<std::uint64_t>::max()});
  sketch.builder.add_task({.external_id = 0});
  sketch.builder.add_task({.external_id = std::uint64_t{1} << 63U});
  expect_comes_back(sketch.finish());
}

TEST(TraceChunks, TextsLongerThanAChunkComeBack) {
  tests::OneTrackSketch sketch;
  sketch.add(std::string(kTextBytesOfChunk - 3, 'a'), 0, 1);
  sketch.add("short", 1, 2);
  sketch.add(std::string(3 * kTextBytesOfChunk, 'b') + "c", 2, 3);
  sketch.add("after", 3, 4);
  sketch.add(std::string(kTextBytesOfChunk, 'd'), 4, 5);
  expect_comes_back(sketch.finish());
}

TEST(TraceChunks, EtdumpsComeBack) {
  for (const etdump::Dump& dump : {etdump::toy_dump(etdump::ToySpeed::kFast), etdump::quirks_dump(),
                                   etdump::wrap_dump(), etdump::large_dump(500)}) {
    const auto trace = etdump::read(MappedFile::from_memory("a.etdump", etdump::write_etdump(dump)));
    ASSERT_TRUE(trace);
    expect_comes_back(*trace);
  }
}

TEST(TraceChunks, ChromeJsonComesBack) {
  const auto trace = chrome_json::read(
      MappedFile::from_memory(
          "a.json",
          R"([{"ph":"B","pid":1,"tid":"a","ts":1.5,"name":"b","args":{"x":[1,{"y":null}],"z":0.25}},)"
          R"({"ph":"E","pid":1,"tid":"a","ts":9},{"ph":"i","pid":1,"tid":2,"ts":3,"s":"t","name":"i"},)"
          R"({"ph":"C","pid":1,"ts":4,"name":"c","args":{"v":1,"w":2.5}},)"
          R"({"ph":"s","id":7,"pid":1,"tid":"a","ts":2,"name":"f"},{"ph":"f","bp":"e","id":7,"pid":1,"tid":"a","ts":5,"name":"f"}])"),
      {});
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_GT(trace->slices().size(), 0U);
  expect_comes_back(*trace);
}

TEST(TraceChunks, RunsOfChipsComeBack) {
  for (const chip_swimlane::SampleCapture& sample : chip_swimlane::sample_captures()) {
    const auto trace = chip_run::read_run(MappedFile::from_memory(sample.name, sample.json), {});
    ASSERT_TRUE(trace) << sample.name;
    expect_comes_back(*trace);
  }
}

TEST(TraceChunks, ASimulatedRunWithDependenciesComesBack) {
  tests::SimulatedWork work;
  for (std::size_t i = 0; i < 40; ++i) {
    work.push_back({.name = i % 3 == 0 ? "MATMUL" : "ADD",
                    .on_cube = i % 3 == 0,
                    .length = 10 + static_cast<std::int64_t>(i % 7)});
    if (i >= 3) work.back().producers = {i - 3};
  }
  const tests::SimulatedRun run =
      tests::simulate_chip(work, {.cubes = 1, .vectors = 2, .record_queues = true});
  EXPECT_GT(run.trace.task_edges().size(), 0U);
  expect_comes_back(run.trace);
}

}  // namespace
}  // namespace accelscope::formats::capture
