#include "analysis/profile.h"

#include <algorithm>

#include "analysis/profile_samples.h"
#include "support/trace_sketch.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis {
namespace {

using formats::etdump::ToySpeed;
using trace::SliceId;

const Entry* entry_named(const MethodProfile& method, std::string_view name) {
  for (const Entry& entry : method.entries)
    if (entry.name == name) return &entry;
  return nullptr;
}

// The identity that everything else rests on: in every execution by itself, not only in the sum.
void expect_complete(const Profile& profile) {
  for (const MethodProfile& method : profile.methods) {
    for (std::size_t i = 0; i < method.executions.size(); ++i) {
      std::int64_t sum = 0;
      for (const Entry& entry : method.entries) {
        ASSERT_EQ(entry.self.size(), method.executions.size());
        sum += entry.self[i].value;
      }
      EXPECT_EQ(sum, method.executions[i].duration.value) << profile.name << ", execution " << i;
    }
  }
}

TEST(Profile, OfTheToyModelHasEveryOperatorOnce) {
  const Profile profile = toy(ToySpeed::kFast);
  expect_complete(profile);
  ASSERT_EQ(profile.methods.size(), 1U);
  const MethodProfile& method = profile.methods.front();
  EXPECT_EQ(method.executions.size(), 10U);
  // execute, delegate call, seven operators, and two operator calls with their kernels
  ASSERT_EQ(method.entries.size(), 13U);
  EXPECT_EQ(method.entries[0].part, Part::kFramework);
  EXPECT_EQ(method.entries[1].part, Part::kDelegateOverhead);
  EXPECT_EQ(method.entries[2].name, "Convert (NC, F32, F16) #1");
  EXPECT_EQ(method.entries[2].part, Part::kDelegateOperator);
  EXPECT_TRUE(method.entries[2].estimated);
  EXPECT_EQ(method.entries[2].backend_source, trace::backend_source::kInferred);
  EXPECT_EQ(method.entries[9].part, Part::kOperatorCallOverhead);
  EXPECT_EQ(method.entries[10].name, "native_call_permute_copy.out");
  EXPECT_EQ(method.entries[10].part, Part::kLibraryOperator);
  EXPECT_TRUE(method.entries[10].backend.empty());
  for (const Entry& entry : method.entries) EXPECT_EQ(entry.count, 10U) << entry.name;
  EXPECT_EQ(profile.estimated_entries, 7U);
  EXPECT_EQ(unit_of(method), "ms");
  EXPECT_DOUBLE_EQ(to_unit(method, base::Ticks{1'500'000}), 1.5);
  ASSERT_EQ(profile.loads.size(), 2U);
  EXPECT_EQ(profile.loads[0].name, "Program::load_method");
  EXPECT_EQ(profile.loads[1].name, "Method::init");
  EXPECT_EQ(profile.sources, std::vector<std::string>{"sample.etdump"});
}

TEST(Profile, KeepsTheEntriesThatLookAlikeApart) {
  const MethodProfile method = toy(ToySpeed::kSlow).methods.front();
  std::vector<std::int64_t> convolutions;
  for (const Entry& entry : method.entries)
    if (entry.category == Category::kConvolution) convolutions.push_back(entry.self[1].value);
  ASSERT_EQ(convolutions.size(), 3U);
  EXPECT_LT(convolutions[0], convolutions[1]);
  EXPECT_LT(convolutions[1], convolutions[2]);
}

TEST(Profile, AddsTheRoundsOfALoopUp) {
  const Profile profile = profile_of_dump("quirks", formats::etdump::quirks_dump());
  expect_complete(profile);
  ASSERT_EQ(profile.methods.size(), 1U);
  const MethodProfile& method = profile.methods.front();
  const Entry* add = entry_named(method, "native_call_add.out");
  ASSERT_NE(add, nullptr);
  EXPECT_EQ(add->count, 3U);
  EXPECT_EQ(add->self.front().value, 1000 + 2000 + 3000);
  EXPECT_EQ(std::count_if(method.entries.begin(), method.entries.end(),
                          [](const Entry& entry) { return entry.name == "native_call_add.out"; }),
            1);
  const Entry* jump = entry_named(method, "JF_CALL");
  ASSERT_NE(jump, nullptr);
  EXPECT_EQ(jump->part, Part::kControl);
  EXPECT_EQ(jump->category, Category::kControl);
}

TEST(Profile, ShowsForeignClocksApart) {
  const MethodProfile method = profile_of_dump("quirks", formats::etdump::quirks_dump()).methods.front();
  EXPECT_FALSE(method.foreign.empty());
  for (const ForeignEntry& foreign : method.foreign)
    EXPECT_EQ(entry_named(method, foreign.name), nullptr) << foreign.name;
  EXPECT_TRUE(std::none_of(method.foreign.begin(), method.foreign.end(), [](const ForeignEntry& foreign) {
    return foreign.name.find("bytes") != std::string::npos;
  })) << "bytes are no time";
}

TEST(Profile, NeverMixesTwoMethods) {
  const Profile profile = profile_of_dump("wrap", formats::etdump::wrap_dump());
  expect_complete(profile);
  ASSERT_EQ(profile.methods.size(), 2U);
  EXPECT_EQ(profile.methods[0].executions.size(), 2U);
  EXPECT_EQ(profile.methods[1].executions.size(), 3U);
  EXPECT_EQ(profile.methods[0].executions[0].duration.value, 9300);
  EXPECT_EQ(profile.methods[0].executions[1].duration.value, 9400);
  for (const Execution& execution : profile.methods[1].executions) EXPECT_LT(execution.duration.value, 4000);
  EXPECT_EQ(profile.aborted_runs, 1U);
  EXPECT_EQ(profile.empty_runs, 1U);
  EXPECT_EQ(entry_named(profile.methods[0], "native_call_bmm.out"), nullptr);
  const Entry* product = entry_named(profile.methods[1], "native_call_bmm.out");
  ASSERT_NE(product, nullptr);
  EXPECT_EQ(product->count, 2U + 3U + 2U);
}

TEST(Profile, JoinsRecordingsOfSeveralProcesses) {
  const trace::Trace first = trace_of(formats::etdump::toy_dump(ToySpeed::kFast, {.count = 4, .seed = 1}));
  const trace::Trace second = trace_of(formats::etdump::toy_dump(ToySpeed::kFast, {.count = 6, .seed = 2}));
  const Profile profile =
      profile_of("on", std::array{Recording{&first, 1, "a.etdump"}, Recording{&second, 2, "b.etdump"}});
  expect_complete(profile);
  ASSERT_EQ(profile.methods.size(), 1U);
  const MethodProfile& method = profile.methods.front();
  ASSERT_EQ(method.executions.size(), 10U);
  EXPECT_EQ(method.entries.size(), 13U);
  std::vector<bool> warm_up;
  for (const Execution& execution : method.executions) warm_up.push_back(execution.warm_up);
  EXPECT_EQ(warm_up, (std::vector<bool>{true, false, false, false, true, true, false, false, false, false}));
  EXPECT_EQ(method.executions[3].recording, 0U);
  EXPECT_EQ(method.executions[4].recording, 1U);
  EXPECT_EQ(method.entries[5].count, 10U);
  EXPECT_EQ(profile.sources, (std::vector<std::string>{"a.etdump", "b.etdump"}));
}

TEST(Profile, OfNothingIsEmpty) {
  const Profile none = profile_of("none", {});
  EXPECT_TRUE(none.methods.empty());
  const Profile empty = profile_of_dump("empty", formats::etdump::Dump{});
  EXPECT_TRUE(empty.methods.empty());
}

TEST(Profile, TakesTicksOfAnUnknownClockAsTheyAre) {
  const trace::Trace trace =
      trace_of(formats::etdump::wrap_dump(), {.time_unit = formats::etdump::TimeUnit::cycles()});
  const Profile profile = profile_of_trace("ticks", trace);
  ASSERT_FALSE(profile.methods.empty());
  EXPECT_EQ(unit_of(profile.methods.front()), "ticks");
  EXPECT_DOUBLE_EQ(to_unit(profile.methods.front(), base::Ticks{9300}), 9300);
}

// A trace as another tool may write it: no instructions, categories of its own, an argument that only looks
// like an instruction.
TEST(Profile, NeedsNoInstructions) {
  tests::OneTrackSketch sketch;
  const trace::RunId run = sketch.builder.add_run({.method = sketch.builder.intern("forward")});
  const auto slice = [&](std::string_view name, std::string_view category, std::int64_t start,
                         std::int64_t end, SliceId parent = SliceId::kNone) {
    return sketch.builder.add_slice({.track = sketch.track,
                                     .start = base::Ticks{start},
                                     .duration = base::Ticks{end - start},
                                     .name = sketch.builder.intern(name),
                                     .category = sketch.builder.category(category),
                                     .parent = parent,
                                     .run = run});
  };
  const SliceId root = slice("execute", trace::category::kMethod, 0, 100);
  sketch.builder.run(run).root = root;
  const SliceId call = slice("call", trace::category::kDelegateCall, 10, 60, root);
  slice("Add (ND) #1", trace::category::kDelegateOperator, 10, 30, call);
  slice("phase", "something else", 30, 50, call);
  const SliceId second = slice("call", trace::category::kOperatorCall, 60, 90, root);
  slice("native_call_add.out", trace::category::kOperator, 61, 89, second);
  slice("stray", "something else", 90, 95, root);
  sketch.builder.add_slice_arg(call, trace::arg::kInstruction,
                               trace::Value::of_string(sketch.builder.intern("seven")));
  const trace::Trace trace = sketch.finish();
  const Profile profile = profile_of_trace("sketch", trace);
  expect_complete(profile);
  ASSERT_EQ(profile.methods.size(), 1U);
  const MethodProfile& method = profile.methods.front();
  ASSERT_EQ(method.entries.size(), 7U);
  EXPECT_EQ(method.entries[0].name, "execute");
  EXPECT_EQ(method.entries[1].part, Part::kDelegateOverhead);
  EXPECT_EQ(method.entries[3].name, "phase");
  EXPECT_EQ(method.entries[3].part, Part::kDelegateOperator) << "inside the call of a backend";
  EXPECT_EQ(method.entries[5].name, "native_call_add.out");
  EXPECT_EQ(method.entries[6].name, "stray");
  EXPECT_EQ(method.entries[6].part, Part::kOther);
  EXPECT_GE(method.entries[1].call, std::int64_t{1} << 40U) << "a text is no instruction";
  EXPECT_LT(method.entries[1].call, method.entries[4].call);
  EXPECT_EQ(method.all_rows.value, 100 + 50 + 20 + 20 + 30 + 28 + 5);
}

TEST(Profile, KeepsNegativeSelfTimes) {
  tests::OneTrackSketch sketch;
  const trace::RunId run = sketch.builder.add_run({.method = sketch.builder.intern("forward")});
  const SliceId root =
      sketch.builder.add_slice({.track = sketch.track,
                                .duration = base::Ticks{100},
                                .name = sketch.builder.intern("execute"),
                                .category = sketch.builder.category(trace::category::kMethod),
                                .run = run});
  sketch.builder.run(run).root = root;
  for (int i = 0; i < 2; ++i)
    sketch.builder.add_slice({.track = sketch.track,
                              .start = base::Ticks{i * 50},
                              .duration = base::Ticks{60},
                              .name = sketch.builder.intern("kernel"),
                              .category = sketch.builder.category(trace::category::kOperator),
                              .parent = root,
                              .run = run});
  const trace::Trace trace = sketch.finish();
  const Profile profile = profile_of_trace("sketch", trace);
  expect_complete(profile);
  EXPECT_EQ(profile.methods.front().entries.front().self.front().value, -20);
}

}  // namespace
}  // namespace accelscope::analysis
