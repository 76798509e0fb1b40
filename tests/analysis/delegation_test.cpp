#include "analysis/delegation.h"

#include <algorithm>

#include "analysis/latency.h"
#include "analysis/profile_samples.h"
#include "formats/etrecord/etrecord_writer.h"
#include "formats/etrecord/join.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis {
namespace {

using formats::etdump::ToySpeed;

Delegation delegation_in(const Profile& profile) {
  const MethodLatency latency = latency_of(profile, 0);
  return delegation_of(profile.methods.front(), breakdown_of(profile.methods.front(), latency.positions));
}

TEST(Delegation, SharesSumToAHundred) {
  for (const formats::etdump::Dump& dump :
       {formats::etdump::toy_dump(ToySpeed::kFast), formats::etdump::quirks_dump(),
        formats::etdump::large_dump(4000)}) {
    const Delegation delegation = delegation_in(profile_of_dump("sample", dump));
    EXPECT_NEAR(delegation.inside_percent + delegation.outside_percent + delegation.overhead_percent +
                    delegation.rest_percent,
                100, 1e-9);
    double backends = 0;
    for (const BackendUse& use : delegation.backends) backends += use.percent;
    EXPECT_NEAR(backends, delegation.inside_percent + delegation.overhead_percent, 1e-9);
  }
}

TEST(Delegation, BackendIsInferredFromNames) {
  const Delegation delegation = delegation_in(toy(ToySpeed::kFast));
  ASSERT_EQ(delegation.backends.size(), 1U);
  EXPECT_EQ(delegation.backends[0].backend, "XNNPACK");
  EXPECT_EQ(delegation.backends[0].source, trace::backend_source::kInferred);
  EXPECT_DOUBLE_EQ(delegation.backends[0].calls, 1);
}

TEST(Delegation, AnEtRecordNamesTheBackend) {
  formats::etrecord::EtRecord made;
  made.method("forward").delegates[0].backend = "OtherBackend";
  const auto bytes = formats::etrecord::write(made);
  ASSERT_TRUE(bytes) << bytes.error().to_string();
  const auto record = formats::etrecord::read(base::MappedFile::from_memory("toy.etrecord", *bytes));
  ASSERT_TRUE(record) << record.error().to_string();
  const auto joined = formats::etrecord::join(trace_of(formats::etdump::toy_dump(ToySpeed::kFast)), *record);
  ASSERT_TRUE(joined) << joined.error().to_string();
  const Profile profile = profile_of_trace("on", *joined);
  ASSERT_EQ(profile.methods.size(), 1U);
  const Delegation delegation = delegation_in(profile);
  ASSERT_EQ(delegation.backends.size(), 1U);
  EXPECT_EQ(delegation.backends[0].backend, "OtherBackend");
  EXPECT_EQ(delegation.backends[0].source, trace::backend_source::kEtRecord);
}

TEST(Delegation, OperatorsOutsideAreRankedWithAdvice) {
  const Delegation delegation = delegation_in(toy(ToySpeed::kFast));
  ASSERT_EQ(delegation.outside.size(), 2U);
  EXPECT_NE(delegation.outside[0].name.find("permute_copy"), std::string::npos);
  EXPECT_NE(delegation.outside[1].name.find("clone"), std::string::npos);
  EXPECT_GT(delegation.outside[0].percent, delegation.outside[1].percent);
  EXPECT_NEAR(delegation.outside[0].percent + delegation.outside[1].percent, delegation.outside_percent,
              1e-9);
  for (const OutsideOperator& row : delegation.outside) {
    EXPECT_EQ(row.category, Category::kDataMovement);
    EXPECT_FALSE(row.support.sentence.empty());
    EXPECT_EQ(row.operators, 1U);
  }
  EXPECT_EQ(
      delegation.outside[0].support.name,
      xnnpack_support_of(toy(ToySpeed::kFast).methods.front().entries[delegation.outside[0].entry].family)
          .name);
}

// The cold run must not count in the overhead when it counts nowhere else.
TEST(Delegation, CountsTheSameExecutionsEverywhere) {
  MethodProfile method = method_with(
      {10'000, 100, 100}, {{"call", Part::kDelegateOverhead, Category::kDelegateOverhead, {9'000, 20, 20}},
                           {"Add (ND) #1", Part::kDelegateOperator, Category::kElementwise, {500, 50, 50}}});
  for (Entry& entry : method.entries)
    if (entry.part != Part::kFramework) entry.backend = "XnnpackBackend";
  const Delegation delegation =
      delegation_of(method, breakdown_of(method, std::array<std::uint32_t, 2>{1, 2}));
  ASSERT_EQ(delegation.backends.size(), 1U);
  EXPECT_NEAR(delegation.backends[0].percent, 70, 1e-9);
  EXPECT_NEAR(delegation.backends[0].mean, 70e-6, 1e-15);
  EXPECT_DOUBLE_EQ(delegation.backends[0].calls, 1);
  EXPECT_NEAR(delegation.overhead_percent, 20, 1e-9);
}

TEST(Delegation, OfAModelWithoutDelegates) {
  const Delegation delegation = delegation_in(profile_of_dump("wrap", formats::etdump::wrap_dump()));
  EXPECT_TRUE(delegation.backends.empty());
  EXPECT_EQ(delegation.inside_percent, 0);
  ASSERT_EQ(delegation.outside.size(), 1U);
  EXPECT_GT(delegation.outside_percent, 90);
}

}  // namespace
}  // namespace accelscope::analysis
