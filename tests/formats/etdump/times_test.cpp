// Counters that overflow, clocks that restart, times beyond what 63 bits hold.
#include "formats/etdump/helpers.h"
#include "formats/etdump/sample_dumps.h"

namespace accelscope::formats::etdump {
namespace {

using trace::SliceFlag;
using trace::Trace;

constexpr std::uint64_t kOverflow = std::uint64_t{1} << 32U;

TEST(Times, AWrappedEventHasItsTrueLength) {
  const Trace trace = read_dump({{execute_block({execute(kOverflow - 5000, 4000)})}});
  EXPECT_EQ(trace.slices().duration[0].value, 9000) << "not 8999";
  EXPECT_TRUE(trace::has_flag(trace.slices().flags[0], SliceFlag::kWrapped));
  EXPECT_EQ(quality_count(trace, "etdump.counter_wrapped"), 1U);
}

TEST(Times, ChildrenPastTheOverflowStayInside) {
  const Trace trace = read_dump({{execute_block(
      {event("before", 0, kOverflow - 4000, kOverflow - 3000), event("across", 1, kOverflow - 2000, 500),
       event("after", 2, 600, 700), execute(kOverflow - 5000, 4000)})}});
  for (const char* name : {"before", "across", "after"})
    EXPECT_EQ(parent_name(trace, slice_named(trace, name)), "Method::execute") << name;
  EXPECT_EQ(trace.slices().start[slice_named(trace, "after")].value,
            static_cast<std::int64_t>(kOverflow + 600));
  EXPECT_EQ(sum_of_self_times(trace, trace.runs()[0].root), 9000);
}

TEST(Times, EvenWhenNothingEndedBeforeTheOverflow) {
  const Trace trace =
      read_dump({{execute_block({event("after", 2, 600, 700), execute(kOverflow - 5000, 4000)})}});
  EXPECT_EQ(parent_name(trace, slice_named(trace, "after")), "Method::execute");
}

TEST(Times, BlocksAfterTheOverflowFollowThoseBefore) {
  const Trace trace = read_dump(wrap_dump());
  std::int64_t last_end = 0;
  for (const trace::Run& run : trace.runs()) {
    if (run.root == trace::SliceId::kNone) continue;
    EXPECT_GT(trace.slices().start[index(run.root)].value, last_end);
    last_end = trace.end_of(run.root).value;
  }
  EXPECT_EQ(quality_count(trace, "etdump.times_unwrapped"), 1U);
}

TEST(Times, DelegateEventsFollowTheirCallAcrossTheOverflow) {
  const Trace trace =
      read_dump({{execute_block({execute(kOverflow - 900, kOverflow - 100)}),
                  execute_block({reported("conv", 0, 1100, 1900), event("DELEGATE_CALL", 0, 1000, 2000),
                                 execute(900, 2100)})}});
  const std::uint32_t conv = slice_named(trace, "conv");
  EXPECT_EQ(trace.slices().track[conv], trace::TrackId{1});
  EXPECT_EQ(trace.slices().start[conv].value, static_cast<std::int64_t>(kOverflow + 1100));
  EXPECT_EQ(quality_count(trace, "etdump.foreign_clock"), 0U);
}

TEST(Times, AClockThatRestartsIsNotAnOverflow) {
  const Trace trace =
      read_dump({{execute_block({execute(1'000'000, 1'001'000)}), execute_block({execute(500, 1500)})}});
  EXPECT_EQ(trace.slices().start[0].value, 500) << "sorted, not moved";
  EXPECT_EQ(quality_count(trace, "etdump.times_unwrapped"), 0U);
}

TEST(Times, LongerReadingsRuleOutA32BitCounter) {
  const Trace trace = read_dump(
      {{execute_block({execute(kOverflow - 900, kOverflow - 100)}), execute_block({execute(900, 2100)}),
        execute_block({execute(kOverflow * 2, kOverflow * 2 + 50)})}});
  EXPECT_EQ(trace.slices().start[0].value, 900);
  EXPECT_EQ(quality_count(trace, "etdump.times_unwrapped"), 0U);
}

TEST(Times, AnEventThatWasNeverTimedIsNotAnOverflow) {
  const Trace trace =
      read_dump({{execute_block({event("timed", 0, 3'000'000'000, 3'000'000'100), event("untimed", 1, 0, 0),
                                 execute(2'999'999'000, 3'000'001'000)})}});
  EXPECT_EQ(trace.slices().start[slice_named(trace, "Method::execute")].value, 2'999'999'000);
}

TEST(Times, AnEndBeforeTheStartIsUnknownOtherwise) {
  const Trace trace = read_dump({{execute_block(
      {event("odd", 0, kOverflow + 500, kOverflow + 100), execute(kOverflow, kOverflow + 900)})}});
  const std::uint32_t odd = slice_named(trace, "odd");
  EXPECT_EQ(trace.slices().duration[odd].value, 0);
  EXPECT_TRUE(trace::has_flag(trace.slices().flags[odd], SliceFlag::kEndUnknown));
  EXPECT_EQ(quality_count(trace, "etdump.end_before_start"), 1U);
}

TEST(Times, Beyond63BitsAreCapped) {
  constexpr std::uint64_t kHuge = 0xFFFFFFFFFFFFFF00;
  const Trace trace =
      read_dump({{execute_block({reported("gpu", 0, kHuge, kHuge + 0x40), reported("absurd", 0, 0, kHuge),
                                 event("DELEGATE_CALL", 0, 100, 200), execute(0, 1000)})}});
  EXPECT_EQ(trace.slices().duration[slice_named(trace, "gpu")].value, 0x40) << "the length is kept";
  EXPECT_EQ(parent_name(trace, slice_named(trace, "absurd")), "DELEGATE_CALL");
  EXPECT_EQ(quality_count(trace, "etdump.time_beyond_63_bits"), 2U);
}

TEST(Times, HugeOrdinaryTimesDoNotOverflowSums) {
  constexpr std::uint64_t kHuge = 0x7FFFFFFFFFFFFFF0;
  const Trace trace = read_dump({{execute_block({event("a", 0, 1, kHuge), event("b", 1, 2, kHuge + 1),
                                                 event("c", 2, 3, kHuge + 2), execute(0, kHuge + 3)})}});
  EXPECT_EQ(quality_count(trace, "etdump.children_exceed_parent"), 1U);
  EXPECT_EQ(sum_of_self_times(trace, trace.runs()[0].root), static_cast<std::int64_t>(kHuge + 3));
}

}  // namespace
}  // namespace accelscope::formats::etdump
