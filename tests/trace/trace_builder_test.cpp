#include "trace/trace_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

#include "trace/nesting.h"
#include "trace/self_time.h"
#include "trace_fixture.h"

namespace accelscope::trace {
namespace {

TEST(TraceBuilder, OrdersSlicesByTrackThenStartThenLog) {
  OneTrack t;
  const TrackId second = t.builder.add_track({.name = t.builder.intern("second"), .clock = ClockId{0}});
  t.builder.add_slice(
      {.track = second, .start = Ticks{1}, .duration = Ticks{1}, .name = t.builder.intern("s")});
  t.slice("late", 9, 10);
  t.slice("tie a", 5, 6);
  t.slice("tie b", 5, 6);
  const Trace trace = t.finish();
  std::vector<std::string_view> names;
  for (std::uint32_t row = 0; row < trace.slices().size(); ++row)
    names.push_back(trace.text(trace.slices().name[row]));
  EXPECT_EQ(names, (std::vector<std::string_view>{"tie a", "tie b", "late", "s"}));
  EXPECT_EQ(trace.slices_of(t.track).count, 3U);
  EXPECT_EQ(trace.slices_of(second).first, 3U);
}

TEST(TraceBuilder, RewritesEveryReferenceWhenSlicesMove) {
  OneTrack t(Nesting::kExplicit);
  const TrackId pipe = t.builder.add_track({.name = t.builder.intern("pipe"), .clock = ClockId{0}});
  const SliceId interval =
      t.builder.add_slice({.track = pipe, .start = Ticks{3}, .name = t.builder.intern("interval")});
  const SliceId child = t.slice("child", 5, 6);
  const SliceId root = t.slice("root", 1, 9);
  t.builder.set_parent(child, root);
  t.builder.set_owner(interval, child);
  t.builder.add_flow(root, interval, t.builder.intern("dependency"), t.builder.intern("label"));
  t.builder.add_stage(child, t.builder.intern("dispatch"), Ticks{-2});
  t.builder.add_stage(root, t.builder.intern("submit"), Ticks{-5});
  const RunId run = t.builder.add_run({.name = t.builder.intern("Execute"), .root = root});
  t.builder.add_slice_arg(root, "instruction", Value::of_int(7));
  t.builder.add_slice_arg(child, "instruction", Value::of_int(8));
  t.builder.add_slice_arg(root, "later", Value::of_double(0.5));
  const Trace trace = t.finish();
  const SliceId new_root{row_named(trace, "root")};
  const SliceId new_child{row_named(trace, "child")};
  const SliceId new_interval{row_named(trace, "interval")};
  EXPECT_EQ(trace.slices().parent[index(new_child)], new_root);
  EXPECT_EQ(trace.slices().owner[index(new_interval)], new_child);
  EXPECT_EQ(trace.flows().from[0], new_root);
  EXPECT_EQ(trace.flows().to[0], new_interval);
  EXPECT_EQ(trace.run(run).root, new_root);
  EXPECT_EQ(trace.stages().slice[0], new_root);
  EXPECT_EQ(trace.stages().offset[1].value, -2);
  const ArgId root_args = trace.slices().first_arg[index(new_root)];
  EXPECT_EQ(trace.find_arg(root_args, "instruction").as_int(), 7);
  EXPECT_EQ(trace.find_arg(root_args, "later").as_double(), 0.5);
  EXPECT_EQ(trace.find_arg(root_args, "absent").type, ValueType::kNull);
}

TEST(TraceBuilder, CorrectsImpossibleTimesAndSaysSo) {
  OneTrack t;
  const SliceId backwards = t.slice("backwards", 10, 4);
  const SliceId endless =
      t.builder.add_slice({.track = t.track, .start = Ticks::max(), .duration = Ticks{2}});
  EXPECT_TRUE(has_flag(t.builder.slices().flags[index(backwards)], SliceFlag::kEndUnknown));
  EXPECT_TRUE(has_flag(t.builder.slices().flags[index(endless)], SliceFlag::kEndUnknown));
  const Trace trace = t.finish();
  EXPECT_EQ(trace.quality().count("trace.negative_duration"), 1U);
  EXPECT_EQ(trace.quality().count("trace.time_overflow"), 1U);
  EXPECT_EQ(trace.slices().duration[row_named(trace, "backwards")].value, 0);
}

TEST(TraceBuilder, ManySlicesAtOnceAreTheSameAsOneByOne) {
  const auto build = [](bool at_once, bool sorted) {
    OneTrack t(Nesting::kExplicit);
    const CategoryId category = t.builder.category("work");
    std::vector<Ticks> start;
    std::vector<Ticks> duration;
    std::vector<StringId> name;
    std::vector<TaskId> task;
    std::vector<SliceFlag> flags;
    std::vector<std::uint64_t> ids;
    for (std::int64_t i = 0; i < 70'000; ++i) {
      start.push_back(Ticks{sorted ? i * 10 : (i * 7919) % 70'001});
      duration.push_back(Ticks{i % 1000 == 3 ? -1 : i % 7});  // some are impossible
      name.push_back(t.builder.intern(i % 2 == 0 ? "even" : "odd"));
      flags.push_back(i % 5 == 0 ? SliceFlag::kEstimated : SliceFlag::kNone);
      ids.push_back(static_cast<std::uint64_t>(i) + 100);
      task.push_back(TaskId{static_cast<std::uint32_t>(i)});
    }
    start.back() = Ticks::max();
    t.slice("before", 0, 1);
    if (at_once) {
      EXPECT_EQ(t.builder.add_tasks(ids), TaskId{0});
      EXPECT_EQ(t.builder.add_slices({t.track, category, start, duration, name, task, flags}), SliceId{1});
    } else {
      for (const std::uint64_t id : ids) t.builder.add_task({.external_id = id});
      for (std::size_t i = 0; i < start.size(); ++i)
        t.builder.add_slice({.track = t.track,
                             .start = start[i],
                             .duration = duration[i],
                             .name = name[i],
                             .category = category,
                             .flags = flags[i],
                             .task = task[i]});
    }
    t.builder.add_slice_arg(SliceId{7}, "argument", Value::of_int(1));
    t.slice("behind", 5, 6);
    return t.finish();
  };
  for (const bool sorted : {true, false}) {
    const Trace many = build(true, sorted);
    const Trace single = build(false, sorted);
    ASSERT_EQ(many.slices().size(), single.slices().size());
    const auto expect_equal = [](const auto& a, const auto& b, std::string_view what) {
      for (std::uint32_t row = 0; row < a.size(); ++row) ASSERT_EQ(a[row], b[row]) << what << ' ' << row;
    };
    expect_equal(many.slices().start, single.slices().start, "start");
    expect_equal(many.slices().duration, single.slices().duration, "duration");
    expect_equal(many.slices().name, single.slices().name, "name");
    expect_equal(many.slices().task, single.slices().task, "task");
    expect_equal(many.slices().flags, single.slices().flags, "flags");
    expect_equal(many.slices().category, single.slices().category, "category");
    expect_equal(many.slices().first_arg, single.slices().first_arg, "first_arg");
    expect_equal(many.slices().parent, single.slices().parent, "parent");
    expect_equal(many.tasks().external_id, single.tasks().external_id, "task id");
    expect_equal(many.tasks().blocks, single.tasks().blocks, "blocks");
    ASSERT_EQ(many.quality().rows().size(), single.quality().rows().size());
    for (std::size_t i = 0; i < many.quality().rows().size(); ++i)
      EXPECT_EQ(many.quality().rows()[i].count, single.quality().rows()[i].count);
  }
}

TEST(TraceBuilder, NoSlicesOrTasksAtOnceAreNothing) {
  OneTrack t;
  EXPECT_EQ(t.builder.add_slices({.track = t.track}), SliceId::kNone);
  EXPECT_EQ(t.builder.add_tasks({}), TaskId::kNone);
  EXPECT_EQ(t.finish().slices().size(), 0U);
}

TEST(TraceBuilder, TakesStagesThatWereMadeElsewhere) {
  OneTrack t;
  t.slice("a", 0, 5);
  t.slice("b", 10, 15);
  const StringId name = t.builder.intern("dispatch");
  for (const std::uint32_t slice : {1U, 0U}) {
    StageTable stages;
    stages.slice.push_back(SliceId{slice});
    stages.stage.push_back(name);
    stages.offset.push_back(Ticks{-static_cast<std::int64_t>(slice)});
    t.builder.add_stages(std::move(stages));
  }
  const Trace trace = t.finish();
  ASSERT_EQ(trace.stages().size(), 2U);
  EXPECT_EQ(trace.stages().slice[0], SliceId{0});
  EXPECT_EQ(trace.stages().offset[1].value, -1);
}

TEST(TraceBuilder, KeepsOverlappingSlices) {
  OneTrack t;
  t.slice("a", 0, 10);
  t.slice("b", 5, 15);
  t.slice("inside both", 6, 9);
  const Trace trace = t.finish();
  EXPECT_EQ(trace.slices().size(), 3U);
  EXPECT_EQ(parent_name(trace, "b"), "none");
  EXPECT_EQ(parent_name(trace, "inside both"), "b");
  EXPECT_EQ(trace.slices().duration[row_named(trace, "a")].value, 10);
  EXPECT_EQ(trace.slices().duration[row_named(trace, "b")].value, 10);
}

TEST(TraceBuilder, RefusesBrokenPromisesOfItsCaller) {
  {
    OneTrack t(Nesting::kExplicit);
    const SliceId a = t.slice("a", 0, 1);
    const SliceId b = t.slice("b", 0, 1);
    t.builder.set_parent(a, b);
    t.builder.set_parent(b, a);
    EXPECT_FALSE(std::move(t.builder).finish());
  }
  {
    OneTrack t;
    t.builder.add_slice({.track = TrackId{17}});
    EXPECT_FALSE(std::move(t.builder).finish());
  }
  {
    OneTrack t(Nesting::kExplicit);
    const TrackId other = t.builder.add_track({.name = t.builder.intern("other"), .clock = ClockId{0}});
    const SliceId a = t.slice("a", 0, 1);
    const SliceId b = t.builder.add_slice({.track = other});
    t.builder.set_parent(a, b);
    EXPECT_FALSE(std::move(t.builder).finish());
  }
}

// Builds a small sound trace, lets `spoil` break one promise, and gives back what finish() says.
template <class Spoil>
std::string complaint(Spoil&& spoil) {
  OneTrack t;
  const SliceId slice = t.slice("a", 0, 1);
  spoil(t.builder, slice);
  const auto trace = std::move(t.builder).finish();
  if (trace) return "";
  EXPECT_EQ(trace.error().code, base::ErrorCode::kInternal);
  return trace.error().message;
}

TEST(TraceBuilder, RefusesIdsThatNameNoRow) {
  constexpr SliceId kNoSlice{7};
  const auto kind = StringId::kEmpty;
  EXPECT_EQ(complaint([](TraceBuilder&, SliceId) {}), "");
  EXPECT_EQ(complaint([&](TraceBuilder& b, SliceId s) { b.set_owner(s, kNoSlice); }),
            "a slice has an owner that was never added");
  EXPECT_EQ(complaint([&](TraceBuilder& b, SliceId s) { b.add_flow(s, kNoSlice, kind); }),
            "a flow names a slice that was never added");
  EXPECT_EQ(complaint([&](TraceBuilder& b, SliceId s) { b.add_flow(SliceId::kNone, s, kind); }),
            "a flow names a slice that was never added");
  EXPECT_EQ(complaint([&](TraceBuilder& b, SliceId) { b.add_stage(kNoSlice, kind, Ticks{1}); }),
            "a stage names a slice that was never added");
  EXPECT_EQ(complaint([&](TraceBuilder& b, SliceId s) { b.slices().task[index(s)] = TaskId{0}; }),
            "a slice names a task that was never added");
  EXPECT_EQ(complaint([&](TraceBuilder& b, SliceId) {
              const TaskId task = b.add_task({.external_id = 1, .name = kind, .kind = kind});
              b.add_task_edge(task, TaskId{1}, kind);
            }),
            "a dependency names a task that was never added");
  EXPECT_EQ(complaint([&](TraceBuilder& b, SliceId s) { b.slices().run[index(s)] = RunId{0}; }),
            "a row names a run that was never added");
  EXPECT_EQ(complaint([&](TraceBuilder& b, SliceId) {
              b.add_instant({.track = TrackId{0}, .time = Ticks{1}, .run = RunId{3}});
            }),
            "a row names a run that was never added");
  EXPECT_EQ(
      complaint([&](TraceBuilder& b, SliceId) { b.add_run({.name = b.intern("r"), .root = kNoSlice}); }),
      "run 'r' has a root that was never added");
  EXPECT_EQ(complaint([&](TraceBuilder& b, SliceId) { b.track(TrackId{0}).resource = ResourceId{0}; }),
            "track 'main' names a resource that was never added");
}

TEST(TraceBuilder, RefusesRowsWithoutAClockAndRelationsThatMakeNoSense) {
  const auto add_group = [](TraceBuilder& b, ClockId clock) {
    return b.add_track({.name = b.intern("group"), .kind = TrackKind::kGroup, .clock = clock});
  };
  EXPECT_EQ(complaint([&](TraceBuilder& b, SliceId) { add_group(b, ClockId::kNone); }), "");
  EXPECT_EQ(complaint([&](TraceBuilder& b, SliceId) { add_group(b, ClockId{5}); }),
            "track 'group' has no clock");
  EXPECT_EQ(complaint([&](TraceBuilder& b, SliceId) {
              b.add_slice({.track = add_group(b, ClockId::kNone), .duration = Ticks{1}});
            }),
            "track 'group' has rows but no clock");
  EXPECT_EQ(complaint([](TraceBuilder& b, SliceId) {
              b.add_clock_relation({ClockId{0}, ClockId{1}, {}, {}, {}});
            }),
            "a clock relation names a clock that was never added");
  EXPECT_EQ(
      complaint([](TraceBuilder& b, SliceId) {
        const ClockId device = b.add_clock({b.intern("device"), base::Frequency::mhz(50)});
        b.add_clock_relation({device, ClockId{0}, {}, {{Ticks{5}, Ticks{0}}, {Ticks{5}, Ticks{9}}}, {}});
      }),
      "the relation of clocks 'device' and 'host' runs backwards");
}

TEST(Trace, TakesAnotherQualityRowWithoutMovingTheRest) {
  OneTrack t;
  t.slice("a", 0, 1);
  Trace trace = t.finish();
  const Ticks* const row = &trace.slices().start[0];
  const Trace noted = with_quality(std::move(trace), {.id = "test.note", .sentence = "Something is odd."});
  EXPECT_EQ(noted.quality().count("test.note"), 1U);
  EXPECT_EQ(&noted.slices().start[0], row);
}

TEST(TraceBuilder, SortsCountersInstantsAndStatesByTrackAndTime) {
  OneTrack t;
  const TrackId counter = t.builder.add_track(
      {.name = t.builder.intern("depth"), .kind = TrackKind::kCounter, .clock = ClockId{0}});
  t.builder.add_counter(counter, Ticks{9}, std::int64_t{-1});
  t.builder.add_counter(counter, Ticks{3}, std::int64_t{4});
  t.builder.add_instant({.track = t.track, .time = Ticks{8}, .name = t.builder.intern("second")});
  const std::uint32_t first =
      t.builder.add_instant({.track = t.track, .time = Ticks{2}, .name = t.builder.intern("first")});
  t.builder.add_instant_arg(first, t.builder.intern("bytes"), Value::of_uint(64));
  t.builder.add_state(t.track, Ticks{5}, Ticks{5}, t.builder.intern("busy"), t.builder.intern("task"));
  t.builder.add_state(t.track, Ticks{0}, Ticks{5}, t.builder.intern("idle"),
                      t.builder.intern("nothing submitted"));
  const Trace trace = t.finish();
  EXPECT_EQ(trace.counters_of(counter).count, 2U);
  EXPECT_EQ(trace.counters().time[0].value, 3);
  EXPECT_EQ(static_cast<std::int64_t>(trace.counters().bits[1]), -1);
  EXPECT_EQ(trace.text(trace.instants().name[0]), "first");
  EXPECT_EQ(trace.find_arg(trace.instants().first_arg[0], "bytes").as_uint(), 64U);
  EXPECT_EQ(trace.text(trace.states().cause[trace.states_of(t.track).first]), "nothing submitted");
}

TEST(TraceBuilder, SharesOneCategoryOnceThereAreTooMany) {
  OneTrack t;
  CategoryId last = CategoryId::kNone;
  for (int i = 0; i < 70'000; ++i) last = t.builder.category("category " + std::to_string(i));
  const CategoryId known = t.builder.category("category 5");
  t.builder.add_slice({.track = t.track, .category = last});
  const Trace trace = t.finish();
  EXPECT_EQ(trace.category_name(last), "other categories");
  EXPECT_EQ(trace.category_name(known), "category 5");
  EXPECT_GT(trace.quality().count("trace.too_many_categories"), 0U);
  EXPECT_EQ(trace.find_category("category 5"), known);
}

TEST(TraceBuilder, AppendedTracesKeepEverything) {
  const auto make = [](std::string_view name, std::int64_t start) {
    OneTrack t;
    t.builder.quality().add({.id = "test.row", .sentence = "Something."});
    const SliceId root = t.slice(name, start, start + 10);
    t.slice("inner", start + 1, start + 2);
    t.builder.add_slice_arg(root, "text", Value::of_string(t.builder.intern(name)));
    t.builder.add_run({.name = t.builder.intern("Execute"), .method = t.builder.intern(name), .root = root});
    const TaskId a = t.builder.add_task({.external_id = 1ULL << 40U,
                                         .name = t.builder.intern("f"),
                                         .kind = t.builder.intern("AIC"),
                                         .blocks = 4});
    const TaskId b = t.builder.add_task(
        {.external_id = 2, .name = t.builder.intern("g"), .kind = t.builder.intern("AIV")});
    t.builder.add_task_edge(a, b, t.builder.intern("data"));
    t.builder.add_fact("device", Value::of_string(t.builder.intern(name)));
    return t.finish();
  };
  const Trace first = make("one", 100);
  const Trace second = make("two", 0);
  TraceBuilder builder;
  builder.append(first, "first.etdump");
  const TraceBuilder::Offsets offsets = builder.append(second, "second.etdump");
  auto merged = std::move(builder).finish();
  ASSERT_TRUE(merged);
  EXPECT_EQ(offsets.slices, 2U);
  EXPECT_EQ(merged->slices().size(), 4U);
  EXPECT_EQ(merged->text(merged->tracks()[1].name), "second.etdump: main");
  EXPECT_EQ(merged->text(merged->slices().name[index(merged->run(RunId{1}).root)]), "two");
  EXPECT_EQ(merged->text(merged->find_arg(merged->slices().first_arg[2], "text").as_text()), "two");
  EXPECT_EQ(merged->slices().parent[3], SliceId{2});
  EXPECT_EQ(merged->task_edges().from[1], TaskId{2});
  EXPECT_EQ(merged->tasks().external_id[2], 1ULL << 40U);
  EXPECT_EQ(merged->text(merged->facts()[1].value.as_text()), "two");
  EXPECT_EQ(merged->quality().count("test.row"), 2U);
}

// Random properly nested intervals, logged in completion order; returns (start, end, parent) by log position.
struct Logged {
  std::int64_t start;
  std::int64_t end;
  int parent;
};

int log_subtree(std::mt19937& random, std::int64_t start, std::int64_t end, int depth,
                std::vector<Logged>& log) {
  std::vector<int> children;
  std::int64_t at = start;
  while (depth > 0 && at < end && std::uniform_int_distribution<int>(0, 3)(random) != 0) {
    const std::int64_t child_start = std::uniform_int_distribution<std::int64_t>(at, end)(random);
    const std::int64_t child_end = std::uniform_int_distribution<std::int64_t>(child_start, end)(random);
    children.push_back(log_subtree(random, child_start, child_end, depth - 1, log));
    at = child_end + 1;
  }
  const int self = static_cast<int>(log.size());
  for (const int child : children) log[static_cast<std::size_t>(child)].parent = self;
  log.push_back({start, end, -1});
  return self;
}

TEST(Nesting, FindsTheTreeThatWasLoggedInCompletionOrder) {
  std::mt19937 random(20'240'501);
  for (int round = 0; round < 200; ++round) {
    std::vector<Logged> log;
    std::int64_t at = 0;
    for (int tree = 0; tree < 5; ++tree) {
      const std::int64_t end = at + std::uniform_int_distribution<std::int64_t>(0, 60)(random);
      log_subtree(random, at, end, 4, log);
      at = end + 1;
    }
    OneTrack t(Nesting::kByCompletion);
    for (std::size_t i = 0; i < log.size(); ++i) t.slice(std::to_string(i), log[i].start, log[i].end);
    const Trace trace = t.finish();
    for (std::size_t i = 0; i < log.size(); ++i)
      ASSERT_EQ(parent_name(trace, std::to_string(i)),
                log[i].parent < 0 ? "none" : std::to_string(log[i].parent));
    // The identity every report relies on: self times sum to the roots, in integer ticks.
    std::int64_t roots = 0;
    for (const Logged& entry : log) roots += entry.parent < 0 ? entry.end - entry.start : 0;
    std::int64_t self_sum = 0;
    for (const Ticks self : self_times(trace, trace.slices_of(t.track))) self_sum += self.value;
    ASSERT_EQ(self_sum, roots);
  }
}

TEST(Nesting, TheLaterOfTwoEqualSlicesIsTheParentInCompletionOrder) {
  OneTrack t(Nesting::kByCompletion);
  t.slice("inner", 5, 9);
  t.slice("outer", 5, 9);
  t.slice("empty", 9, 9);
  t.slice("around", 9, 9);
  const Trace trace = t.finish();
  EXPECT_EQ(parent_name(trace, "inner"), "outer");
  EXPECT_EQ(parent_name(trace, "outer"), "none");
  EXPECT_EQ(parent_name(trace, "empty"), "around");
}

TEST(Nesting, TheFirstOfTwoEqualSlicesIsTheParentByStart) {
  OneTrack t(Nesting::kByStart);
  t.slice("outer", 5, 9);
  t.slice("inner", 5, 9);
  t.slice("next", 9, 12);
  t.slice("moment", 9, 9);
  const Trace trace = t.finish();
  EXPECT_EQ(parent_name(trace, "inner"), "outer");
  EXPECT_EQ(parent_name(trace, "next"), "none");
  EXPECT_EQ(parent_name(trace, "moment"), "next");
}

TEST(Nesting, ByStartAgreesWithTheSmallestContainingSlice) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    OneTrack t(Nesting::kByStart);
    struct Span {
      std::int64_t start, end;
    };
    std::vector<Span> spans;
    for (int i = 0; i < 30; ++i) {
      // Distinct bounds: ties have rules of their own, tested above.
      const std::int64_t start = std::uniform_int_distribution<std::int64_t>(0, 400)(random) * 100 + i;
      const std::int64_t end = start + std::uniform_int_distribution<std::int64_t>(1, 150)(random) * 100 + 50;
      spans.push_back({start, end});
      t.slice(std::to_string(i), start, end);
    }
    const Trace trace = t.finish();
    for (std::size_t i = 0; i < spans.size(); ++i) {
      // Expected: of all that contain it, the one that starts last.
      int expected = -1;
      for (std::size_t j = 0; j < spans.size(); ++j) {
        if (j == i || spans[j].start > spans[i].start || spans[j].end < spans[i].end) continue;
        if (expected < 0 || spans[j].start > spans[static_cast<std::size_t>(expected)].start)
          expected = static_cast<int>(j);
      }
      ASSERT_EQ(parent_name(trace, std::to_string(i)), expected < 0 ? "none" : std::to_string(expected))
          << "round " << round;
    }
  }
}

TEST(Nesting, PendingSlicesWaitForTheirClaim) {
  CompletionNester nester;
  std::vector<std::pair<SliceId, SliceId>> adopted;
  const auto adopt = [&](SliceId child, SliceId parent) { adopted.emplace_back(child, parent); };
  nester.add_pending(SliceId{0});
  nester.add(SliceId{1}, {Ticks{0}, Ticks{100}}, adopt);
  EXPECT_TRUE(adopted.empty());
  nester.add_pending(SliceId{2});
  nester.add(SliceId{3}, {Ticks{200}, Ticks{300}}, adopt,
             [](SliceId pending) { return pending == SliceId{2}; });
  ASSERT_EQ(adopted.size(), 1U);
  EXPECT_EQ(adopted[0], std::make_pair(SliceId{2}, SliceId{3}));
}

TEST(Trace, CanBeReadFromManyThreadsAtOnce) {
  OneTrack t;
  for (int i = 0; i < 200'000; ++i) t.slice("slice " + std::to_string(i % 100), i * 10, i * 10 + 7);
  const Trace trace = t.finish();
  std::vector<std::int64_t> sums(4, 0);
  std::vector<std::thread> readers;
  for (std::int64_t& sum : sums)
    readers.emplace_back([&trace, &sum, track = t.track] {
      const RowRange rows = trace.slices_of(track);
      for (std::uint32_t row = rows.first; row < rows.end();) {
        const std::span<const Ticks> chunk = trace.slices().duration.chunk_from(row);
        for (const Ticks duration : chunk) sum += duration.value;
        row += static_cast<std::uint32_t>(chunk.size());
      }
      sum += static_cast<std::int64_t>(trace.text(trace.slices().name[0]).size());
    });
  for (std::thread& reader : readers) reader.join();
  for (const std::int64_t sum : sums) EXPECT_EQ(sum, 200'000LL * 7 + 7);
}

TEST(Trace, BuildersOfDifferentTracksRunInParallel) {
  std::vector<std::optional<Trace>> parts(4);
  std::vector<std::thread> builders;
  for (std::size_t i = 0; i < parts.size(); ++i)
    builders.emplace_back([&parts, i] {
      OneTrack t;
      for (int n = 0; n < 1000; ++n)
        t.slice("n" + std::to_string(n % 7), n * 10, n * 10 + static_cast<int>(i));
      parts[i].emplace(t.finish());
    });
  for (std::thread& builder : builders) builder.join();
  TraceBuilder joined;
  for (const std::optional<Trace>& part : parts) joined.append(*part);
  const auto trace = std::move(joined).finish();
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->slices().size(), 4000U);
  EXPECT_EQ(trace->strings().size(),
            1U + 2U + 7U);  // the empty text, clock and track names, seven slice names
}

TEST(Trace, EmptySideTablesCostNothing) {
  OneTrack t;
  for (int i = 0; i < 100'000; ++i) t.slice("x", i, i + 1);
  const Trace trace = t.finish();
  // 48 bytes a slice; the rest of the last chunk and the strings are the only overhead.
  EXPECT_LT(trace.memory_bytes(), 2U * 65'536U * 48U + 400'000U);
}

}  // namespace
}  // namespace accelscope::trace
