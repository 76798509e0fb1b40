#include "formats/etrecord/join.h"

#include <gtest/gtest.h>

#include "trace/trace_builder.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::etrecord {
namespace {

using trace::RunId;
using trace::SliceId;
using trace::Ticks;
using trace::Trace;
using trace::Value;

class TraceMaker {
 public:
  TraceMaker() {
    const trace::ClockId clock =
        builder_.add_clock({builder_.intern("host"), base::Frequency::nanoseconds()});
    track_ = builder_.add_track({.name = builder_.intern("host"), .clock = clock});
  }

  void run(std::string_view method) {
    run_ = builder_.add_run({.name = builder_.intern("Execute"), .method = builder_.intern(method)});
  }
  SliceId event(std::string_view name, std::string_view category, std::int64_t instruction) {
    const SliceId slice = builder_.add_slice({.track = track_,
                                              .start = Ticks{time_},
                                              .duration = Ticks{1},
                                              .name = builder_.intern(name),
                                              .category = builder_.category(category),
                                              .run = run_});
    time_ += 10;
    builder_.add_slice_arg(slice, trace::arg::kInstruction, Value::of_int(instruction));
    return slice;
  }
  void add_arg(SliceId slice, std::string_view name, std::string_view text) {
    builder_.add_slice_arg(slice, name, Value::of_string(builder_.intern(text)));
  }
  void add_arg(SliceId slice, std::string_view name, std::int64_t number) {
    builder_.add_slice_arg(slice, name, Value::of_int(number));
  }
  Trace finish() {
    auto trace = std::move(builder_).finish();
    EXPECT_TRUE(trace);
    return std::move(*trace);
  }

 private:
  trace::TraceBuilder builder_;
  trace::TrackId track_ = trace::TrackId::kNone;
  RunId run_ = RunId::kNone;
  std::int64_t time_ = 0;
};

std::string_view arg_text(const Trace& trace, std::uint32_t slice, std::string_view name) {
  const Value value = trace.find_arg(trace.slices().first_arg[slice], name);
  return value.holds_text() ? trace.text(value.as_text()) : std::string_view{};
}

EtRecord one_method() {
  EtRecord record;
  record.path = "m.etrecord";
  Method& method = record.method("forward");
  method.handles[0] = {1};
  method.handles[1] = {2, 3};
  method.delegates[1].backend = "XnnpackBackend";
  method.delegates[1].events = {{"Conv", {{2}, 0}}, {"Convert", {{3}, 1}}, {"4", {{2, 3}, 2}}};
  method.nodes[1].push_back({"add", "aten.add.Tensor", "line 1", "k,,my.Net;k.a,a,torch.nn.modules.Add"});
  method.nodes[2].push_back({"conv", "aten.convolution.default", "line 2", ""});
  method.nodes[3].push_back({"to", "aten.to.dtype", "line 3", ""});
  return record;
}

TEST(EtRecordJoin, NamesEventsByInstructionAndIdentifier) {
  TraceMaker maker;
  maker.run("method 1");
  const SliceId number = maker.event("4", trace::category::kDelegateOperator, 1);
  maker.add_arg(number, trace::arg::kDelegateId, 4);
  maker.event("Conv", trace::category::kDelegateOperator, 1);
  maker.event("Convert (NC, F32) #1", trace::category::kDelegateOperator, 1);
  const SliceId call = maker.event("DELEGATE_CALL", trace::category::kDelegateCall, 1);
  maker.add_arg(call, trace::arg::kBackend, "XNNPACK");
  maker.add_arg(call, trace::arg::kBackendSource, "inferred from names");
  maker.add_arg(call, "note", "kept");
  maker.event("native_call_add.out", trace::category::kOperator, 0);
  const SliceId root = maker.event("Method::execute", trace::category::kMethod, 0);
  maker.add_arg(root, trace::arg::kChain, -1);
  const Trace trace = maker.finish();

  const auto joined = join(trace, one_method());
  ASSERT_TRUE(joined) << joined.error().to_string();
  EXPECT_EQ(arg_text(*joined, 0, trace::arg::kOpTypes), "aten.convolution.default, aten.to.dtype");
  EXPECT_EQ(arg_text(*joined, 1, trace::arg::kOpTypes), "aten.convolution.default");
  EXPECT_EQ(arg_text(*joined, 2, trace::arg::kOpTypes), "aten.to.dtype");  // the last key that is part of it
  EXPECT_EQ(arg_text(*joined, 2, trace::arg::kStackTrace), "line 3");
  EXPECT_EQ(arg_text(*joined, 3, trace::arg::kBackend), "XnnpackBackend");
  EXPECT_EQ(arg_text(*joined, 3, trace::arg::kBackendSource), "etrecord");
  EXPECT_EQ(arg_text(*joined, 3, "note"), "kept");
  EXPECT_EQ(joined->find_arg(joined->slices().first_arg[3], trace::arg::kInstruction), Value::of_int(1));
  EXPECT_EQ(arg_text(*joined, 4, trace::arg::kOpTypes), "aten.add.Tensor");
  EXPECT_EQ(arg_text(*joined, 4, trace::arg::kModuleHierarchy), "Net > a (Add)");
  EXPECT_EQ(arg_text(*joined, 4, trace::arg::kBackend), "");
  EXPECT_EQ(arg_text(*joined, 5, trace::arg::kOpTypes), "");
  EXPECT_EQ(joined->text(joined->runs()[0].method), "forward");
  EXPECT_EQ(joined->sources().back().format, "etrecord");
  EXPECT_TRUE(joined->quality().rows().empty());
}

EtRecord two_methods() {
  EtRecord record = one_method();
  Method& decode = record.method("decode");
  decode.handles[0] = {10};
  decode.handles[1] = {11};
  decode.handles[2] = {12};
  decode.delegates[0].backend = "VulkanBackend";
  return record;
}

TEST(EtRecordJoin, ChoosesTheMethodThatFits) {
  TraceMaker maker;
  for (int i = 0; i < 2; ++i) {
    maker.run("method 1");
    maker.event("DELEGATE_CALL", trace::category::kDelegateCall, 0);
    maker.event("OPERATOR_CALL", trace::category::kOperatorCall, 1);
    maker.event("OPERATOR_CALL", trace::category::kOperatorCall, 2);
    maker.run("method 2");
    maker.event("OPERATOR_CALL", trace::category::kOperatorCall, 0);
    maker.event("DELEGATE_CALL", trace::category::kDelegateCall, 1);
  }
  const Trace trace = maker.finish();
  const auto joined = join(trace, two_methods());
  ASSERT_TRUE(joined) << joined.error().to_string();
  ASSERT_EQ(joined->runs().size(), 4U);
  EXPECT_EQ(joined->text(joined->runs()[0].method), "decode");
  EXPECT_EQ(joined->text(joined->runs()[1].method), "forward");
  EXPECT_EQ(joined->text(joined->runs()[2].method), "decode");
  EXPECT_EQ(joined->runs()[2].index, 1U);
  EXPECT_EQ(arg_text(*joined, 0, trace::arg::kBackend), "VulkanBackend");
}

TEST(EtRecordJoin, SaysWhenMethodsFitEquallyWell) {
  EtRecord record;
  record.method("a").handles[0] = {1};
  record.method("b").handles[0] = {2};
  TraceMaker maker;
  maker.run("method 1");
  maker.event("OPERATOR_CALL", trace::category::kOperatorCall, 0);
  const Trace trace = maker.finish();
  const auto joined = join(trace, record);
  ASSERT_TRUE(joined) << joined.error().to_string();
  EXPECT_EQ(joined->text(joined->runs()[0].method), "method 1");
  EXPECT_EQ(joined->quality().count("etrecord.ambiguous_method"), 1U);
}

TEST(EtRecordJoin, SaysWhenNothingFits) {
  TraceMaker maker;
  maker.run("method 1");
  maker.event("OPERATOR_CALL", trace::category::kOperatorCall, 40);
  const Trace trace = maker.finish();
  const auto single = join(trace, one_method());
  ASSERT_TRUE(single) << single.error().to_string();
  EXPECT_EQ(single->quality().count("etrecord.no_match"), 1U);
  EXPECT_EQ(single->text(single->runs()[0].method), "method 1");
  const auto several = join(trace, two_methods());
  ASSERT_TRUE(several) << several.error().to_string();
  EXPECT_EQ(several->quality().count("etrecord.no_match"), 1U);
  EXPECT_EQ(several->text(several->runs()[0].method), "method 1");
  EXPECT_TRUE(join(trace, EtRecord{}));
}

TEST(EtRecordJoin, ShowsModulesReadably) {
  EXPECT_EQ(readable_module_stack(""), "");
  EXPECT_EQ(readable_module_stack("L['self'],,a.b.Net"), "Net");
  EXPECT_EQ(readable_module_stack("k,,Net;k.l,layers.0,torch.nn.Linear"), "Net > layers.0 (Linear)");
  EXPECT_EQ(readable_module_stack("no comma;;x,y"), "y");
}

}  // namespace
}  // namespace accelscope::formats::etrecord
