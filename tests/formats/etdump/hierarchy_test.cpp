// Who encloses whom, and who only owns.
#include "formats/etdump/helpers.h"
#include "formats/etdump/sample_dumps.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::etdump {
namespace {

using trace::SliceFlag;
using trace::SliceId;

TEST(Hierarchy, ParentsAreLoggedAfterTheirChildren) {
  const trace::Trace trace = read_dump({{execute_block(
      {event("native_call_add.out", 0, 12, 18), event("OPERATOR_CALL", 0, 10, 20),
       event("native_call_mul.out", 1, 21, 29), event("OPERATOR_CALL", 1, 20, 30), execute(0, 40)})}});
  EXPECT_EQ(parent_name(trace, slice_named(trace, "native_call_mul.out")), "OPERATOR_CALL");
  EXPECT_EQ(parent_name(trace, slice_named(trace, "OPERATOR_CALL")), "Method::execute");
  EXPECT_EQ(parent_name(trace, slice_named(trace, "Method::execute")), "");
}

TEST(Hierarchy, OfEqualBoundsTheLaterEncloses) {
  const trace::Trace trace =
      read_dump({{execute_block({event("inner", 0, 10, 20), event("outer", 0, 10, 20), execute(10, 20)})}});
  EXPECT_EQ(parent_name(trace, slice_named(trace, "inner")), "outer");
  EXPECT_EQ(parent_name(trace, slice_named(trace, "outer")), "Method::execute");
}

TEST(Hierarchy, DelegateEventsWaitForTheirInstruction) {
  const trace::Trace trace = read_dump(
      {{execute_block({reported("conv", 3, 11, 15), event("DELEGATE_CALL", 3, 10, 20),
                       reported("conv", 4, 21, 25), event("DELEGATE_CALL", 4, 20, 30), execute(0, 40)})}});
  EXPECT_EQ(parent_name(trace, slice_named(trace, "conv")), "DELEGATE_CALL");
  const trace::SliceTable& slices = trace.slices();
  for (std::uint32_t slice = 0; slice < slices.size(); ++slice)
    if (name_of(trace, slice) == "conv") {
      EXPECT_EQ(arg_of(trace, slice, trace::arg::kInstruction).as_int(),
                arg_of(trace, index(slices.parent[slice]), trace::arg::kInstruction).as_int());
    }
}

TEST(Hierarchy, ForeignClocksAreOwnedAndNotNested) {
  const trace::Trace trace = read_dump(quirks_dump());
  const std::uint32_t shader = slice_named(trace, "{conv2d_dw_3x3, \"dispatch_id\": 4}");
  EXPECT_EQ(trace.slices().parent[shader], SliceId::kNone);
  EXPECT_EQ(parent_name(trace, shader), "DELEGATE_CALL");
  EXPECT_EQ(trace.text(trace.track(trace.slices().track[shader]).name), "Vulkan (ns)");
  EXPECT_TRUE(trace.clock_of(trace.slices().track[shader]).frequency.is_nanoseconds());
  const std::uint32_t cycles = slice_named(trace, "Accelerator (execute) time (cycles)");
  EXPECT_FALSE(trace.clock_of(trace.slices().track[cycles]).frequency.known());
  EXPECT_EQ(trace.slices().duration[cycles].value, 812'345);
  EXPECT_EQ(quality_count(trace, "etdump.foreign_clock"), 3U);
}

TEST(Hierarchy, PartsInheritTheUnitOfTheEventBeforeThem) {
  const trace::Trace trace = read_dump(quirks_dump());
  const trace::Value unit = arg_of(trace, slice_named(trace, "convolution:OpId_3"), trace::arg::kUnit);
  EXPECT_EQ(trace.text(unit.as_text()), "cycles");
}

TEST(Hierarchy, BytesAreMarkedAsNoTime) {
  const trace::Trace trace = read_dump(quirks_dump());
  const std::uint32_t bytes = slice_named(trace, "Input tensors (bytes)");
  EXPECT_TRUE(trace::has_flag(trace.slices().flags[bytes], SliceFlag::kMarker));
  EXPECT_EQ(trace.text(arg_of(trace, bytes, trace::arg::kUnit).as_text()), "bytes");
  EXPECT_EQ(trace.slices().duration[bytes].value, 150'528);
  EXPECT_EQ(quality_count(trace, "etdump.not_a_time"), 1U);
}

TEST(Hierarchy, ScopesOfABackendAreNested) {
  const trace::Trace trace = read_dump(
      {{execute_block({reported("ETVK_COPY_INPUTS", 0, 11, 13), reported("ETVK_RESIZE", 0, 13, 13),
                       reported("ETVK_COMPUTE_GRAPH_EXECUTE", 0, 13, 18), reported("ETVK_EXECUTE", 0, 11, 19),
                       event("DELEGATE_CALL", 0, 10, 20), execute(0, 30)})}});
  EXPECT_EQ(parent_name(trace, slice_named(trace, "ETVK_COPY_INPUTS")), "ETVK_EXECUTE");
  EXPECT_EQ(parent_name(trace, slice_named(trace, "ETVK_COMPUTE_GRAPH_EXECUTE")), "ETVK_EXECUTE");
  EXPECT_EQ(parent_name(trace, slice_named(trace, "ETVK_EXECUTE")), "DELEGATE_CALL");
  EXPECT_EQ(parent_name(trace, slice_named(trace, "ETVK_RESIZE")), "DELEGATE_CALL") << "has no length";
  const trace::Value backend = arg_of(trace, slice_named(trace, "DELEGATE_CALL"), trace::arg::kBackend);
  EXPECT_EQ(trace.text(backend.as_text()), "Vulkan");
  EXPECT_EQ(sum_of_self_times(trace, trace.runs()[0].root), 30);
}

TEST(Hierarchy, ComputedTimesAreNotNested) {
  // "Copy" takes less than a microsecond and is reported with no length, on the border of its neighbours.
  const trace::Trace trace = read_dump(
      {{execute_block({reported("Copy (ND) #1", 0, 1000, 1000), reported("Add (ND) #1", 0, 1000, 3000),
                       reported("Copy (ND) #2", 0, 3000, 3000), reported("Add (ND) #2", 0, 1000, 3000),
                       event("DELEGATE_CALL", 0, 900, 5000), execute(0, 9000)})}});
  for (const char* name : {"Copy (ND) #1", "Add (ND) #1", "Copy (ND) #2", "Add (ND) #2"}) {
    const std::uint32_t slice = slice_named(trace, name);
    EXPECT_EQ(parent_name(trace, slice), "DELEGATE_CALL") << name;
    EXPECT_TRUE(trace::has_flag(trace.slices().flags[slice], SliceFlag::kEstimated)) << name;
  }
  const trace::Value backend = arg_of(trace, slice_named(trace, "DELEGATE_CALL"), trace::arg::kBackend);
  EXPECT_EQ(trace.text(backend.as_text()), "XNNPACK");
  EXPECT_EQ(quality_count(trace, "etdump.estimated_times"), 4U);
}

TEST(Hierarchy, OrdinaryEventsOfABackendNestByThemselves) {
  const trace::Trace trace = read_dump({{execute_block(
      {event("+EthosUBackend::execute()NPU", 0, 12, 18), event("EthosUBackend::execute()", 0, 11, 19),
       event("DELEGATE_CALL", 0, 10, 20), execute(0, 30)})}});
  EXPECT_EQ(parent_name(trace, slice_named(trace, "+EthosUBackend::execute()NPU")),
            "EthosUBackend::execute()");
  const trace::Value backend = arg_of(trace, slice_named(trace, "DELEGATE_CALL"), trace::arg::kBackend);
  EXPECT_EQ(trace.text(backend.as_text()), "Ethos-U");
}

TEST(Hierarchy, OrphansAreKeptAndDoNotBlockOthers) {
  const trace::Trace trace =
      read_dump({{execute_block({event("OPERATOR_CALL", 0, 1, 5), reported("lost", 7, 6, 8),
                                 event("OPERATOR_CALL", 1, 10, 12), execute(0, 20)})}});
  EXPECT_EQ(parent_name(trace, slice_named(trace, "lost")), "");
  EXPECT_EQ(quality_count(trace, "etdump.orphan_delegate_event"), 1U);
  const std::uint32_t root = index(trace.runs()[0].root);
  std::uint32_t children = 0;
  for (const std::uint32_t slice : {0U, 1U, 2U, 3U})
    if (trace.slices().parent[slice] == SliceId{root}) ++children;
  EXPECT_EQ(children, 2U);
}

TEST(Hierarchy, OrphansOfAnotherClockStayOffTheHostTrack) {
  const trace::Trace trace =
      read_dump({{execute_block({reported("shader", 7, 987'654'321'000, 987'654'399'000), execute(0, 20)})}});
  EXPECT_NE(trace.slices().track[slice_named(trace, "shader")], trace::TrackId{1});
}

TEST(Hierarchy, BackendsReportDuringInitialisation) {
  ProfileEvent init = reported("VGF_INIT_TOTAL", 0, 20, 80);
  init.chain = -1;
  const trace::Trace trace = read_dump({{Block{
      .name = "Default",
      .events = {
          init, ProfileEvent{.name = "Method::init", .chain = -1, .instruction = 0, .start = 10, .end = 90},
          ProfileEvent{
              .name = "Program::load_method", .chain = -1, .instruction = 0, .start = 0, .end = 100}}}}});
  EXPECT_EQ(parent_name(trace, slice_named(trace, "VGF_INIT_TOTAL")), "Method::init");
  EXPECT_EQ(quality_count(trace, "etdump.orphan_delegate_event"), 0U);
  EXPECT_EQ(sum_of_self_times(trace, trace.runs()[0].root), 100);
}

TEST(Hierarchy, LoopsKeepEveryRound) {
  const trace::Trace trace = read_dump(quirks_dump());
  std::int64_t total = 0;
  for (std::uint32_t slice = 0; slice < trace.slices().size(); ++slice)
    if (name_of(trace, slice) == "native_call_add.out") total += trace.slices().duration[slice].value;
  EXPECT_EQ(total, 1000 + 2000 + 3000);
}

TEST(Hierarchy, ChildrenThatOutlastTheirParentAreSaidSo) {
  const trace::Trace trace =
      read_dump({{execute_block({event("a", 0, 1, 15), event("b", 1, 5, 19), execute(0, 20)})}});
  EXPECT_EQ(quality_count(trace, "etdump.children_exceed_parent"), 1U);
  EXPECT_EQ(sum_of_self_times(trace, trace.runs()[0].root), 20) << "the sum holds all the same";
}

TEST(Hierarchy, SelfTimesSumToTheRootInEverySample) {
  for (const Dump& dump :
       {toy_dump(ToySpeed::kFast), toy_dump(ToySpeed::kSlow), quirks_dump(), wrap_dump(), large_dump(5000)}) {
    const trace::Trace trace = read_dump(dump);
    for (const trace::Run& run : trace.runs()) {
      if (run.status != trace::RunStatus::kComplete) continue;
      EXPECT_EQ(sum_of_self_times(trace, run.root), trace.slices().duration[index(run.root)].value);
    }
  }
}

}  // namespace
}  // namespace accelscope::formats::etdump
