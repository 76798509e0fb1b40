#include "formats/etdump/names.h"

#include "formats/etdump/helpers.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::etdump {
namespace {

TEST(NameTraits, BackendsGiveThemselvesAway) {
  EXPECT_EQ(traits_of("Convolution (NHWC, F32) IGEMM #3").backend, Backend::kXnnpack);
  EXPECT_TRUE(traits_of("Convolution (NHWC, F32) IGEMM #3").numbered);
  EXPECT_EQ(traits_of("ETVK_COPY_INPUTS").backend, Backend::kVulkan);
  EXPECT_EQ(traits_of("{conv2d, \"dispatch_id\": 4}").backend, Backend::kVulkan);
  EXPECT_EQ(traits_of("VGF_DISPATCH_AND_WAIT").backend, Backend::kVgf);
  EXPECT_EQ(traits_of("+EthosUBackend::execute()NPU").backend, Backend::kEthosU);
  EXPECT_EQ(traits_of("QNN (execute) time (us)").backend, Backend::kQnn);
  EXPECT_EQ(traits_of("output:op_1").backend, Backend::kUnknown);
}

TEST(NameTraits, NumbersNeedTheSign) {
  EXPECT_FALSE(traits_of("Convolution 3").numbered);
  EXPECT_FALSE(traits_of("Convolution #").numbered);
  EXPECT_FALSE(traits_of("#3").numbered);
  EXPECT_FALSE(traits_of("3").numbered);
  EXPECT_FALSE(traits_of("").numbered);
}

TEST(NameTraits, UnitsAreRead) {
  EXPECT_EQ(traits_of("Graph load (us)").unit, ValueUnit::kMicroseconds);
  EXPECT_EQ(traits_of("HVX threads (count)").unit, ValueUnit::kCount);
  EXPECT_EQ(traits_of("Input (bytes)").unit, ValueUnit::kBytes);
  EXPECT_EQ(traits_of("conv (cycles)").unit, ValueUnit::kCycles);
  EXPECT_EQ(traits_of("conv").unit, ValueUnit::kNotSaid);
}

TEST(Names, NotUtf8AreRepaired) {
  const trace::Trace trace =
      read_dump({{execute_block({event("caf\xE9", 0, 1, 2), event("caf\xE9", 1, 3, 4), execute(0, 9)})}});
  EXPECT_EQ(name_of(trace, 1), "caf\xEF\xBF\xBD");
  EXPECT_EQ(quality_count(trace, "etdump.name_not_utf8"), 2U);
}

TEST(Names, StayAsTheyAreOtherwise) {
  const std::string strange = "a,\"b\" {c: \xC3\xA9}\\\n";
  const trace::Trace trace = read_dump({{execute_block({event(strange, 0, 1, 2), execute(0, 9)})}});
  EXPECT_EQ(name_of(trace, 1), strange);
}

TEST(Names, LongOnesAreKeptWhole) {
  const std::string name(100'000, 'n');
  const trace::Trace trace =
      read_dump({{execute_block({event(name, 0, 1, 2), event(name, 1, 3, 4), execute(0, 9)})}});
  EXPECT_EQ(name_of(trace, 2), name);
}

TEST(Categories, FollowTheRuntimesVocabulary) {
  const trace::Trace trace = read_dump(
      {{execute_block({event("native_call_add.out", 0, 2, 3), event("OPERATOR_CALL", 0, 1, 4),
                       reported("Add (ND) #1", 1, 6, 7), event("EthosUBackend::execute()", 1, 6, 7),
                       event("DELEGATE_CALL", 1, 5, 8), event("JF_CALL", 2, 9, 10), execute(0, 20)})}});
  const auto category = [&](std::string_view name) {
    return std::string(trace.category_name(trace.slices().category[slice_named(trace, name)]));
  };
  EXPECT_EQ(category("native_call_add.out"), trace::category::kOperator);
  EXPECT_EQ(category("OPERATOR_CALL"), trace::category::kOperatorCall);
  EXPECT_EQ(category("Add (ND) #1"), trace::category::kDelegateOperator);
  EXPECT_EQ(category("EthosUBackend::execute()"), trace::category::kDelegateOperator);
  EXPECT_EQ(category("DELEGATE_CALL"), trace::category::kDelegateCall);
  EXPECT_EQ(category("JF_CALL"), trace::category::kControl);
  EXPECT_EQ(category("Method::execute"), trace::category::kMethod);
}

}  // namespace
}  // namespace accelscope::formats::etdump
