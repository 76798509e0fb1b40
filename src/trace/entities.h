// The tables of a Trace that stay small: tracks, clocks, runs, resources, facts, accounting, sources. One
// struct per row.
//
// Plain data, read-only in a Trace. Where a row's members are part of the schema, columns() names them once.
//
//   for (const Run& run : trace.runs()) fmt::print("{}\n", trace.text(run.method));
#pragma once

#include <string>

#include "trace/tables.h"

namespace accelscope::trace {

enum class TrackLevel : std::uint8_t { kProcess, kThread, kCore, kLane };
enum class TrackKind : std::uint8_t { kGroup, kSlices, kStates, kCounter };
enum class CounterType : std::uint8_t { kInt64, kDouble };

// A line of the picture, in a tree: processes hold threads and cores, these hold lanes and counters.
struct Track {
  StringId name = StringId::kEmpty;
  TrackId parent = TrackId::kNone;
  TrackLevel level = TrackLevel::kThread;
  TrackKind kind = TrackKind::kSlices;
  ClockId clock = ClockId::kNone;
  ResourceId resource = ResourceId::kNone;
  TrackId controller = TrackId::kNone;  // of who gives it work
  std::int64_t external_id = 0;         // the pid, tid or core number its producer used
  std::int32_t order = 0;               // among its siblings; ties by id
  // When it was recorded. Nothing outside [covered_from, covered_to] is known: absence there is no idleness.
  bool coverage_known = false;
  Ticks covered_from = {};
  Ticks covered_to = {};
  // Counter tracks only.
  CounterType counter_type = CounterType::kInt64;
  StringId counter_unit = StringId::kEmpty;

  static constexpr auto columns() {
    return std::make_tuple(
        field("name", &Track::name, "", "as shown"),
        field("parent", &Track::parent, "", "the track it is drawn under"),
        field("level", &Track::level, "", "0 process, 1 thread, 2 core, 3 lane"),
        field("kind", &Track::kind, "", "0 group (no rows of its own), 1 slices, 2 states, 3 counter"),
        field("clock", &Track::clock, "", "the clock its times are read from"),
        field("resource", &Track::resource, "", "what it is the timeline of"),
        field("controller", &Track::controller, "",
              "the track of who gives it work: a core's scheduler thread"),
        field("external_id", &Track::external_id, "", "pid, tid or core number of the source"),
        field("order", &Track::order, "", "rank among its siblings"),
        field("coverage_known", &Track::coverage_known, "", "whether the next two mean something"),
        field("covered_from", &Track::covered_from, "ticks", "recorded from"),
        field("covered_to", &Track::covered_to, "ticks", "recorded to"),
        field("counter_type", &Track::counter_type, "", "0 int64, 1 double"),
        field("counter_unit", &Track::counter_unit, "", "unit of the counter's values"));
  }
};

// Something that can be busy: an engine with a peak rate.
struct Resource {
  StringId name = StringId::kEmpty;
  StringId engine = StringId::kEmpty;  // AIC, AIV, DMA, CPU, ...
  double peak_rate = 0;                // 0 when unknown
  StringId rate_unit = StringId::kEmpty;

  static constexpr auto columns() {
    return std::make_tuple(
        field("name", &Resource::name, "", "as shown"),
        field("engine", &Resource::engine, "", "kind of engine"),
        field("peak_rate", &Resource::peak_rate, "rate_unit", "the most it can do; 0 when unknown"),
        field("rate_unit", &Resource::rate_unit, "", "unit of the peak rate"));
  }
};

enum class RunKind : std::uint8_t { kExecution, kLoad, kOther };
enum class RunStatus : std::uint8_t { kComplete, kAborted, kEmpty };

// One execution of one method, or one loading phase.
struct Run {
  StringId name = StringId::kEmpty;    // what the source calls it
  StringId method = StringId::kEmpty;  // runs of the same method can be compared
  std::uint32_t index = 0;             // position among the runs of this method, from 0
  RunKind kind = RunKind::kExecution;
  RunStatus status = RunStatus::kComplete;
  SliceId root = SliceId::kNone;  // its outermost slice: its duration is the end-to-end time

  static constexpr auto columns() {
    return std::make_tuple(
        field("name", &Run::name, "", "what the source calls it"),
        field("method", &Run::method, "", "what was run; runs of one method can be compared"),
        field("index", &Run::index, "", "position among the runs of its method"),
        field("kind", &Run::kind, "", "0 execution, 1 load, 2 other"),
        field("status", &Run::status, "", "0 complete, 1 aborted, 2 empty"),
        field("root", &Run::root, "", "its outermost slice; that slice's duration is the end-to-end time"));
  }
};

// Something known about the whole trace: device, build, command, input hash.
struct Fact {
  StringId key = StringId::kEmpty;
  Value value = {};

  static constexpr auto columns() {
    return std::make_tuple(field("key", &Fact::key, "", "what is known (vocabulary.h)"),
                           field("value", &Fact::value, "", "its value"));
  }
};

// What one producer made and what of it arrived: collected + dropped = produced, or the trust box says so.
struct Accounting {
  StringId producer = StringId::kEmpty;
  StringId drop_reason = StringId::kEmpty;
  std::uint64_t produced = 0;
  std::uint64_t collected = 0;
  std::uint64_t dropped = 0;

  static constexpr auto columns() {
    return std::make_tuple(
        field("producer", &Accounting::producer, "", "who made the records"),
        field("drop_reason", &Accounting::drop_reason, "", "why the dropped ones were dropped"),
        field("produced", &Accounting::produced, "records", "made"),
        field("collected", &Accounting::collected, "records", "in this trace"),
        field("dropped", &Accounting::dropped, "records", "lost, by the producer's own count"));
  }
};

// A file the trace was made from.
struct SourceFile {
  std::string path = {};
  std::string format = {};  // "etdump", "chrome-json", ...
  std::string detail = {};  // what a person would add: "size-prefixed FlatBuffers", "gzip"
  std::uint64_t bytes = 0;

  static constexpr auto columns() {
    return std::make_tuple(field("path", &SourceFile::path, "", "as it was given"),
                           field("format", &SourceFile::format, "", "the name of its format"),
                           field("detail", &SourceFile::detail, "", "what a person would add"),
                           field("bytes", &SourceFile::bytes, "bytes", "its size"));
  }
};

}  // namespace accelscope::trace
