// Allocations and debug values: kept, in order, with their content.
#include "formats/etdump/helpers.h"
#include "formats/etdump/sample_dumps.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::etdump {
namespace {

using trace::Trace;
using trace::Value;

Value instant_arg(const Trace& trace, std::uint32_t instant, std::string_view name) {
  return trace.find_arg(trace.instants().first_arg[instant], name);
}

TEST(SideEvents, AllocationsNameTheirAllocator) {
  const Trace trace =
      read_dump({{Block{.name = "Execute",
                        .allocators = {"method", "temp"},
                        .events = {AllocationEvent{2, 128}, execute(100, 200), AllocationEvent{1, 4096},
                                   AllocationEvent{3, 1}, AllocationEvent{0, 2}}}}});
  const trace::InstantTable& instants = trace.instants();
  ASSERT_EQ(instants.size(), 4U);
  EXPECT_EQ(trace.text(instants.name[0]), "temp");
  EXPECT_EQ(instants.time[0].value, 100) << "before the first event";
  EXPECT_EQ(instant_arg(trace, 0, trace::arg::kBytes), Value::of_uint(128));
  EXPECT_EQ(trace.text(instants.name[1]), "method");
  EXPECT_EQ(instants.time[1].value, 200);
  EXPECT_EQ(instant_arg(trace, 1, trace::arg::kRecord), Value::of_uint(2));
  EXPECT_EQ(trace.text(instants.name[2]), "allocator 3");
  EXPECT_EQ(quality_count(trace, "etdump.unknown_allocator"), 2U);
  EXPECT_EQ(quality_count(trace, "etdump.allocation_without_time"), 4U);
  EXPECT_EQ(trace.text(trace.track(instants.track[0]).name), "allocations");
}

TEST(SideEvents, DebugValuesOfEveryKind) {
  const TensorValue tensor{.scalar_type = 5, .sizes = {2, 3}, .strides = {3, 1}, .offset = 48};
  const Trace trace = read_dump({{execute_block(
      {execute(0, 10), DebugEvent{.value = std::int64_t{-5}}, DebugEvent{.value = true},
       DebugEvent{.value = 0.5F}, DebugEvent{.value = 2.25}, DebugEvent{.value = tensor, .is_output = true},
       DebugEvent{.value = std::vector{tensor, TensorValue{.scalar_type = 99, .offset = -1}}},
       DebugEvent{}})}});
  ASSERT_EQ(trace.instants().size(), 7U);
  const auto value = [&](std::uint32_t instant) { return instant_arg(trace, instant, trace::arg::kValue); };
  EXPECT_EQ(value(0), Value::of_int(-5));
  EXPECT_EQ(value(1), Value::of_bool(true));
  EXPECT_EQ(value(2), Value::of_double(0.5));
  EXPECT_EQ(value(3), Value::of_double(2.25));
  EXPECT_EQ(value(4).type, trace::ValueType::kJson);
  const std::string json = R"({"scalar_type":"HALF","sizes":[2,3],"strides":[3,1],"offset":48})";
  EXPECT_EQ(trace.text(value(4).as_text()), json);
  EXPECT_EQ(instant_arg(trace, 4, "output"), Value::of_bool(true));
  EXPECT_EQ(trace.text(value(5).as_text()),
            "[" + json + R"(,{"scalar_type":"TYPE_99","sizes":[],"strides":[],"offset":-1}])");
  EXPECT_EQ(value(6), Value::null());
}

TEST(SideEvents, DebugValuesKeepTheirPlace) {
  const Trace trace = read_dump({{execute_block(
      {event("native_call_add.out", 4, 10, 20),
       DebugEvent{
           .chain = 0, .instruction = 4, .name = "add", .delegate_number = 9, .value = std::int64_t{1}},
       execute(0, 50)})}});
  ASSERT_EQ(trace.instants().size(), 1U);
  EXPECT_EQ(trace.instants().time[0].value, 20);
  EXPECT_EQ(trace.text(trace.instants().name[0]), "add");
  EXPECT_EQ(instant_arg(trace, 0, trace::arg::kChain), Value::of_int(0));
  EXPECT_EQ(instant_arg(trace, 0, trace::arg::kInstruction), Value::of_int(4));
  EXPECT_EQ(instant_arg(trace, 0, trace::arg::kDelegateId), Value::of_int(9));
  EXPECT_EQ(instant_arg(trace, 0, trace::arg::kRecord), Value::of_uint(1));
}

TEST(SideEvents, TensorsOfAbsurdShapeAreShortened) {
  const TensorValue tensor{.sizes = std::vector<std::int64_t>(10'000, 1)};
  const Trace trace = read_dump({{execute_block({execute(0, 10), DebugEvent{.value = tensor}})}});
  EXPECT_EQ(quality_count(trace, "etdump.tensor_shortened"), 1U);
  EXPECT_LT(trace.text(instant_arg(trace, 0, trace::arg::kValue).as_text()).size(), 1000U);
}

TEST(SideEvents, MetadataIsKeptAsBytes) {
  const Trace trace = read_dump(quirks_dump());
  const Value metadata = arg_of(trace, slice_named(trace, "0"), trace::arg::kDelegateMetadata);
  EXPECT_EQ(metadata.type, trace::ValueType::kBytes);
  EXPECT_EQ(trace.text(metadata.as_text()), "\x11\x22\x33");
  EXPECT_EQ(arg_of(trace, slice_named(trace, "12"), trace::arg::kDelegateId), Value::of_int(12));
  EXPECT_EQ(arg_of(trace, slice_named(trace, "12"), trace::arg::kDelegateMetadata), Value::null());
}

}  // namespace
}  // namespace accelscope::formats::etdump
