// Random traces with rows in every table and values in every column. The same seed gives the same trace.
//
//   const trace::Trace trace = full_trace(7, 200);
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "trace/trace_builder.h"

namespace accelscope::formats::capture {

class FullTrace {
 public:
  FullTrace(std::uint32_t seed, int rows) : random_(seed), rows_(rows) {}

  trace::Trace build() {
    add_small_tables();
    for (int i = 0; i < rows_; ++i) add_rows(i);
    auto trace = std::move(builder_).finish();
    EXPECT_TRUE(trace) << trace.error().to_string();
    return std::move(*trace);
  }

 private:
  std::int64_t below(std::int64_t limit) {
    return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(random_);
  }
  std::uint32_t one_of(std::int64_t count) { return static_cast<std::uint32_t>(below(count)); }
  template <class Id>
  Id some_or_none(std::uint32_t count) {
    return count == 0 || below(3) == 0 ? Id::kNone : Id{one_of(count)};
  }
  trace::StringId text() { return builder_.intern("text " + std::to_string(below(40))); }
  trace::Value value() {
    switch (below(7)) {
      case 0:
        return trace::Value::of_int(-below(1'000'000));
      case 1:
        return trace::Value::of_uint(random_() * std::uint64_t{0x100000001});
      case 2:
        return trace::Value::of_double(-0.5);
      case 3:
        return trace::Value::of_bool(true);
      case 4:
        return trace::Value::of_string(text());
      case 5:
        return trace::Value::of_json(builder_.intern("[1,2]"));
      default:
        return trace::Value::null();
    }
  }

  void add_small_tables() {
    const trace::ClockId host = builder_.add_clock({builder_.intern("host"), base::Frequency::nanoseconds()});
    const trace::ClockId chip = builder_.add_clock({builder_.intern("chip"), {2'400'000'000, 2}});
    builder_.add_clock_relation(
        trace::fit_clock_relation(chip, host,
                                  {{trace::Ticks{10}, trace::Ticks{100}, trace::Ticks{3}},
                                   {trace::Ticks{50}, trace::Ticks{900}, trace::Ticks{4}}},
                                  builder_.clock(chip).frequency, builder_.clock(host).frequency));
    builder_.add_clock_relation({chip, host, {}, {}, trace::Ticks::max()});
    const trace::ResourceId engine = builder_.add_resource({text(), text(), 12.5, text()});
    const trace::TrackId process = builder_.add_track({.name = text(), .kind = trace::TrackKind::kGroup});
    builder_.add_track({.name = text(), .parent = process, .clock = host, .external_id = -3, .order = 5},
                       trace::Nesting::kByStart);
    builder_.add_track({.name = text(),
                        .parent = process,
                        .level = trace::TrackLevel::kCore,
                        .clock = chip,
                        .resource = engine,
                        .controller = trace::TrackId{1},
                        .coverage_known = true,
                        .covered_from = trace::Ticks{-5},
                        .covered_to = trace::Ticks{1000}});
    builder_.add_track({.name = text(), .kind = trace::TrackKind::kStates, .clock = host});
    builder_.add_track({.name = text(),
                        .kind = trace::TrackKind::kCounter,
                        .clock = host,
                        .counter_type = trace::CounterType::kDouble,
                        .counter_unit = text()});
    builder_.add_run({.name = text(), .method = text(), .index = 0});
    builder_.add_run({.name = text(),
                      .method = text(),
                      .index = 1,
                      .kind = trace::RunKind::kLoad,
                      .status = trace::RunStatus::kAborted});
    for (int i = 0; i < 8; ++i) builder_.add_fact("fact " + std::to_string(i), value());
    builder_.add_accounting({text(), text(), 10, 7, 3});
    builder_.add_accounting({text(), trace::StringId::kEmpty, 5, 5, 0});
    builder_.add_source({"a/b.etdump", "etdump", "bare", 123});
    builder_.add_source({"", "deps", "", 0});
    builder_.quality().add({.id = "test.one",
                            .severity = trace::Severity::kWarning,
                            .sentence = "One.",
                            .count = 9,
                            .first_place = base::Location::byte("a/b.etdump", 77)});
    builder_.quality().add({.id = "test.two", .severity = trace::Severity::kError, .sentence = "Two."});
  }

  void add_rows(int i) {
    const trace::TaskId task =
        builder_.add_task({.external_id = (std::uint64_t{one_of(4)} << 32U) + one_of(100),
                           .name = text(),
                           .kind = text(),
                           .blocks = one_of(5),
                           .parent = some_or_none<trace::TaskId>(static_cast<std::uint32_t>(i)),
                           .flags = static_cast<trace::TaskFlag>(below(4))});
    builder_.add_task_edge(trace::TaskId{one_of(i + 1)}, task, text());
    const trace::SliceId slice =
        builder_.add_slice({.track = trace::TrackId{1 + one_of(2)},
                            .start = trace::Ticks{below(100'000) - 50'000},
                            .duration = trace::Ticks{below(3) == 0 ? 0 : below(5'000)},
                            .name = text(),
                            .category = builder_.category(text()),
                            .flags = static_cast<trace::SliceFlag>(below(64)),
                            .owner = some_or_none<trace::SliceId>(static_cast<std::uint32_t>(i)),
                            .task = some_or_none<trace::TaskId>(static_cast<std::uint32_t>(i) + 1),
                            .run = some_or_none<trace::RunId>(2)});
    if (i == 0) builder_.run(trace::RunId{0}).root = slice;
    for (std::int64_t args = below(3); args > 0; --args) builder_.add_slice_arg(slice, text(), value());
    builder_.add_stage(trace::SliceId{one_of(i + 1)}, text(), trace::Ticks{below(100) - 50});
    builder_.add_flow(trace::SliceId{one_of(i + 1)}, slice, text(), text());
    builder_.add_flow_end(slice, random_(), text(), below(2) == 0);
    const std::uint32_t instant = builder_.add_instant({.track = trace::TrackId{1 + one_of(2)},
                                                        .time = trace::Ticks{below(1000)},
                                                        .name = text(),
                                                        .category = builder_.category(text()),
                                                        .run = some_or_none<trace::RunId>(2)});
    if (below(2) == 0) builder_.add_instant_arg(instant, text(), value());
    builder_.add_counter(trace::TrackId{4}, trace::Ticks{below(1000)}, 0.1 * static_cast<double>(below(100)));
    builder_.add_state(trace::TrackId{3}, trace::Ticks{10 * i}, trace::Ticks{10}, text(), text());
  }

  std::mt19937 random_;
  int rows_;
  trace::TraceBuilder builder_;
};

inline trace::Trace full_trace(std::uint32_t seed, int rows) {
  return FullTrace(seed, rows).build();
}

}  // namespace accelscope::formats::capture
