#include "formats/timeline_csv/timeline_reader.h"

#include <gtest/gtest.h>

#include "trace/self_time.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::timeline_csv {
namespace {

using trace::RunKind;
using trace::RunStatus;
using trace::SliceId;
using trace::Trace;

constexpr std::string_view kHeader =
    "model_id,name,type,delegate_backend,start_us,end_us,duration_ms,pct_total,node_id,run_index,block\r\n";

base::Result<Trace> trace_of_text(std::string_view text) {
  return read_timeline(base::MappedFile::from_memory("t.csv", text));
}
base::Result<Trace> read_rows(std::string_view rows) {
  return trace_of_text(std::string(kHeader) + std::string(rows));
}

// The first slice of this name.
SliceId find(const Trace& trace, std::string_view name) {
  for (std::uint32_t row = 0; row < trace.slices().size(); ++row)
    if (trace.text(trace.slices().name[row]) == name) return SliceId{row};
  ADD_FAILURE() << "no slice " << name;
  return SliceId{0};
}
std::string_view parent_name(const Trace& trace, std::string_view name) {
  const SliceId parent = trace.slices().parent[index(find(trace, name))];
  return parent == SliceId::kNone ? "" : trace.text(trace.slices().name[index(parent)]);
}
std::string_view category(const Trace& trace, std::string_view name) {
  return trace.category_name(trace.slices().category[index(find(trace, name))]);
}

constexpr std::string_view kOneRun =
    "m,Method::init,Method::init,portable,351.2,0,4.2,0,0,0,Default\r\n"
    "m,Program::load_method,Program::load_method,portable,350.0,0,4.2021,0,1,0,Default\r\n"
    "m,\"Convert (NC, F32, F16) #1\",\"Convert (NC, F32, "
    "F16)\",delegated,4581.416,0,0.014000000000000234,0,2,0,"
    "Execute\r\n"
    "m,DELEGATE_CALL,DELEGATE_CALL,portable,4579.616,0,0.280553,0,3,0,Execute\r\n"
    "m,native_call_add.out,native_call_add.out,portable,4860.409,0,0.044703,0,4,0,Execute\r\n"
    "m,OPERATOR_CALL,OPERATOR_CALL,portable,4860.319,0,0.044863,0,5,0,Execute\r\n"
    "m,MOVE_CALL,MOVE_CALL,portable,4910.0,0,0.001,0,6,0,Execute\r\n"
    "m,Method::execute,Method::execute,portable,4579.216,0,0.350905,0,7,0,Execute\r\n";

TEST(TimelineReader, MakesTracksRunsAndNesting) {
  const auto trace = read_rows(kOneRun);
  ASSERT_TRUE(trace) << trace.error().to_string();
  ASSERT_EQ(trace->tracks().size(), 2U);
  EXPECT_EQ(trace->text(trace->tracks()[0].name), "m");
  EXPECT_EQ(trace->text(trace->tracks()[1].name), "host");
  EXPECT_TRUE(trace->clocks()[0].frequency.is_nanoseconds());

  ASSERT_EQ(trace->runs().size(), 2U);
  const trace::Run& load = trace->runs()[0];
  EXPECT_EQ(load.kind, RunKind::kLoad);
  EXPECT_EQ(trace->text(load.name), "Default");
  EXPECT_EQ(load.root, find(*trace, "Program::load_method"));
  const trace::Run& run = trace->runs()[1];
  EXPECT_EQ(run.kind, RunKind::kExecution);
  EXPECT_EQ(run.status, RunStatus::kComplete);
  EXPECT_EQ(trace->text(run.name), "Execute");
  EXPECT_EQ(trace->text(run.method), "method 1");
  EXPECT_EQ(run.root, find(*trace, "Method::execute"));
  EXPECT_EQ(trace->slices().duration[index(run.root)].value, 350905);

  EXPECT_EQ(parent_name(*trace, "Method::init"), "Program::load_method");
  EXPECT_EQ(parent_name(*trace, "Convert (NC, F32, F16) #1"), "DELEGATE_CALL");
  EXPECT_EQ(parent_name(*trace, "DELEGATE_CALL"), "Method::execute");
  EXPECT_EQ(parent_name(*trace, "native_call_add.out"), "OPERATOR_CALL");
  EXPECT_EQ(parent_name(*trace, "MOVE_CALL"), "Method::execute");
  EXPECT_EQ(trace->slices().duration[index(find(*trace, "Convert (NC, F32, F16) #1"))].value, 14000);
  EXPECT_EQ(trace->quality().count("timeline_csv.single_run"), 1U);
}

TEST(TimelineReader, UsesTheWordsOfTheVocabulary) {
  const auto trace = read_rows(kOneRun);
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(category(*trace, "Method::init"), trace::category::kLoad);
  EXPECT_EQ(category(*trace, "Program::load_method"), trace::category::kLoad);
  EXPECT_EQ(category(*trace, "Convert (NC, F32, F16) #1"), trace::category::kDelegateOperator);
  EXPECT_EQ(category(*trace, "DELEGATE_CALL"), trace::category::kDelegateCall);
  EXPECT_EQ(category(*trace, "native_call_add.out"), trace::category::kOperator);
  EXPECT_EQ(category(*trace, "OPERATOR_CALL"), trace::category::kOperatorCall);
  EXPECT_EQ(category(*trace, "MOVE_CALL"), trace::category::kControl);
  EXPECT_EQ(category(*trace, "Method::execute"), trace::category::kMethod);
  const trace::Value record =
      trace->find_arg(trace->slices().first_arg[index(find(*trace, "Method::execute"))], trace::arg::kRecord);
  EXPECT_EQ(record, trace::Value::of_int(5));
  const trace::Value backend =
      trace->find_arg(trace->slices().first_arg[index(find(*trace, "DELEGATE_CALL"))], trace::arg::kBackend);
  ASSERT_TRUE(backend.holds_text());
  EXPECT_EQ(trace->text(backend.as_text()), "XNNPACK");
}

TEST(TimelineReader, SumsSelfTimesToTheRoot) {
  const auto trace = read_rows(kOneRun);
  ASSERT_TRUE(trace) << trace.error().to_string();
  const trace::RowRange rows = trace->slices_of(trace::TrackId{1});
  const std::vector<trace::Ticks> self = self_times(*trace, rows);
  std::int64_t sum = 0;
  for (std::uint32_t row = rows.first; row < rows.end(); ++row)
    if (trace->slices().run[row] == trace::RunId{1}) sum += self[row - rows.first].value;
  EXPECT_EQ(sum, 350905);
}

TEST(TimelineReader, TellsExecutionsOfOneRunIndexApart) {
  // Two methods, interleaved: the kit calls the first run of each "run 0".
  const auto trace = read_rows(
      "m,OPERATOR_CALL,,portable,11,0,0.001,0,0,0,Execute\n"
      "m,OPERATOR_CALL,,portable,31,0,0.001,0,0,1,Execute\n"
      "m,Method::execute,,portable,10,0,0.005,0,1,0,Execute\n"
      "m,Method::execute,,portable,30,0,0.005,0,1,1,Execute\n"
      "m,DELEGATE_CALL,,portable,21,0,0.002,0,2,0,Execute\n"
      "m,Method::execute,,portable,20,0,0.007,0,3,0,Execute\n");
  ASSERT_TRUE(trace) << trace.error().to_string();
  ASSERT_EQ(trace->runs().size(), 3U);
  const auto latency = [&](std::size_t run) {
    return trace->slices().duration[index(trace->runs()[run].root)].value;
  };
  EXPECT_EQ(latency(0), 5000);
  EXPECT_EQ(latency(1), 7000);
  EXPECT_EQ(latency(2), 5000);
  EXPECT_EQ(trace->text(trace->runs()[0].method), "method 1");
  EXPECT_EQ(trace->text(trace->runs()[1].method), "method 2");
  EXPECT_EQ(trace->text(trace->runs()[2].method), "method 1");
  EXPECT_EQ(trace->runs()[2].index, 1U);
  EXPECT_EQ(trace->quality().count("timeline_csv.run_index_reused"), 1U);
  EXPECT_EQ(parent_name(*trace, "DELEGATE_CALL"), "Method::execute");
}

TEST(TimelineReader, KeepsAnAbortedRunApart) {
  const auto trace = read_rows(
      "m,Method::execute,,portable,10,0,0.005,0,0,0,Execute\n"
      "m,native_call_x.out,,portable,20,0,0.001,0,1,0,Execute\n"
      "m,OPERATOR_CALL,,portable,20,0,0.002,0,2,0,Execute\n");
  ASSERT_TRUE(trace) << trace.error().to_string();
  ASSERT_EQ(trace->runs().size(), 2U);
  EXPECT_EQ(trace->runs()[0].status, RunStatus::kComplete);
  EXPECT_EQ(trace->runs()[1].status, RunStatus::kAborted);
  EXPECT_EQ(trace->quality().count("timeline_csv.aborted_run"), 1U);
}

TEST(TimelineReader, MovesForeignClocksToTheirOwnTrack) {
  const auto trace = read_rows(
      "m,shader,,delegated,900000,0,0.001,0,0,0,Execute\n"
      "m,ETVK_COPY,,delegated,12,0,0.001,0,1,0,Execute\n"
      "m,ETVK_EXECUTE,,delegated,11.5,0,0.002,0,2,0,Execute\n"
      "m,DELEGATE_CALL,,portable,11,0,0.003,0,3,0,Execute\n"
      "m,Method::execute,,portable,10,0,0.005,0,4,0,Execute\n");
  ASSERT_TRUE(trace) << trace.error().to_string();
  const SliceId shader = find(*trace, "shader");
  EXPECT_EQ(trace->slices().owner[index(shader)], find(*trace, "DELEGATE_CALL"));
  EXPECT_EQ(trace->slices().parent[index(shader)], SliceId::kNone);
  EXPECT_EQ(trace->text(trace->track(trace->slices().track[index(shader)]).name), "delegate clock");
  EXPECT_EQ(trace->slices().run[index(shader)], trace::RunId{0});
  EXPECT_EQ(parent_name(*trace, "ETVK_COPY"), "ETVK_EXECUTE");
  EXPECT_EQ(parent_name(*trace, "ETVK_EXECUTE"), "DELEGATE_CALL");
  EXPECT_EQ(trace->quality().count("timeline_csv.foreign_clock"), 1U);
}

TEST(TimelineReader, PutsEventsOfNoLengthBesideTheirNeighbours) {
  const auto trace = read_rows(
      "m,Copy #1,,delegated,12,0,0,0,0,0,Execute\n"
      "m,Convolution #1,,delegated,12,0,0.001,0,1,0,Execute\n"
      "m,DELEGATE_CALL,,portable,11,0,0.003,0,2,0,Execute\n"
      "m,Method::execute,,portable,10,0,0.005,0,3,0,Execute\n");
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(parent_name(*trace, "Copy #1"), "DELEGATE_CALL");
}

TEST(TimelineReader, AcceptsTheDocumentedAliases) {
  const auto trace = trace_of_text(
      "timestamp_ms,name,op_type,backend,duration_ms,node_id,parent_id,run_index,note\n"
      "0,Method::execute,method,,2,0,,0,\n"
      "0.5,xnnpack::conv,conv,xnnpack,1,1,0,0,hot\n"
      "1.5,aten::add,add,,0.25,2,0,0,7\n"
      "0,Method::execute,method,,3,0,,1,\n");
  ASSERT_TRUE(trace) << trace.error().to_string();
  ASSERT_EQ(trace->runs().size(), 2U);
  EXPECT_EQ(parent_name(*trace, "xnnpack::conv"), "Method::execute");
  EXPECT_EQ(parent_name(*trace, "aten::add"), "Method::execute");
  EXPECT_EQ(category(*trace, "xnnpack::conv"), trace::category::kDelegateOperator);
  EXPECT_EQ(category(*trace, "aten::add"), trace::category::kOperator);
  EXPECT_EQ(trace->slices().start[index(trace->runs()[1].root)].value, 2'000'000);
  const auto arg_text = [&](std::string_view slice, std::string_view name) {
    const trace::Value value = trace->find_arg(trace->slices().first_arg[index(find(*trace, slice))], name);
    return value.holds_text() ? trace->text(value.as_text()) : std::string_view{};
  };
  EXPECT_EQ(arg_text("aten::add", trace::arg::kBackend), "aten");
  EXPECT_EQ(arg_text("aten::add", trace::arg::kBackendSource), "inferred from names");
  EXPECT_EQ(arg_text("xnnpack::conv", trace::arg::kBackend), "xnnpack");
  EXPECT_EQ(arg_text("xnnpack::conv", "note"), "hot");
  EXPECT_EQ(arg_text("xnnpack::conv", arg::kType), "conv");
  EXPECT_EQ(trace->find_arg(trace->slices().first_arg[index(find(*trace, "aten::add"))], "note"),
            trace::Value::of_double(7));
  EXPECT_EQ(trace->quality().count("timeline_csv.relative_starts"), 1U);
  EXPECT_EQ(trace->quality().count("timeline_csv.extra_columns"), 1U);
}

TEST(TimelineReader, RepairsExtraColumnsThatAreNoUtf8) {
  const auto trace = trace_of_text("name,start_us,duration_ms,no\xFFte\nop,1,1,caf\xE9\n");
  ASSERT_TRUE(trace) << trace.error().to_string();
  const trace::Value note = trace->find_arg(trace->slices().first_arg[0], "no\xEF\xBF\xBDte");
  ASSERT_TRUE(note.holds_text());
  EXPECT_EQ(trace->text(note.as_text()), "caf\xEF\xBF\xBD");
}

TEST(TimelineReader, CutsCirclesOfParents) {
  const auto trace = trace_of_text(
      "name,start_us,duration_ms,node_id,parent_id\n"
      "a,1,1,1,2\nb,1,1,2,3\nc,1,1,3,1\nself,1,1,4,4\nlost,1,1,5,99\n");
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->quality().count("timeline_csv.useless_parent_id"), 3U);
}

TEST(TimelineReader, OrdersRowsByTimeWithoutNodeIds) {
  const auto trace = trace_of_text(
      "name,start_us,end_us\n"
      "Method::execute,10,20\nOPERATOR_CALL,11,19\nnative_call_a.out,12,18\n");
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(parent_name(*trace, "native_call_a.out"), "OPERATOR_CALL");
  EXPECT_EQ(parent_name(*trace, "OPERATOR_CALL"), "Method::execute");
}

TEST(TimelineReader, WorksWithLatenciesAlone) {
  const auto trace = read_rows(
      "m,Method::execute,Method::execute,portable,1000.0,13300.0,12.3,100.0,0,0,Execute\n"
      "m,Method::execute,Method::execute,portable,13350.0,25450.0,12.1,100.0,0,1,Execute\n");
  ASSERT_TRUE(trace) << trace.error().to_string();
  ASSERT_EQ(trace->runs().size(), 2U);
  EXPECT_EQ(trace->slices().duration[index(trace->runs()[0].root)].value, 12'300'000);
  EXPECT_EQ(trace->runs()[1].index, 1U);
  EXPECT_EQ(trace->quality().count("timeline_csv.single_run"), 0U);
}

TEST(TimelineReader, KeepsPicosecondsWhereTheyAreReal) {
  const auto trace = trace_of_text("name,start_us,duration_ms\nx,1.0005,0.00000025\n");
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->clocks()[0].frequency, base::Frequency::hz(1'000'000'000'000));
  EXPECT_EQ(trace->slices().start[0].value, 1'000'500);
  EXPECT_EQ(trace->slices().duration[0].value, 250);

  const auto too_large = trace_of_text("name,start_us,duration_ms\nx,99000000000000.0005,1\n");
  ASSERT_TRUE(too_large) << too_large.error().to_string();
  EXPECT_TRUE(too_large->clocks()[0].frequency.is_nanoseconds());
}

TEST(TimelineReader, SaysWhichColumnIsMissing) {
  const auto no_name = trace_of_text("model,start_us,duration_ms\n");
  ASSERT_FALSE(no_name);
  EXPECT_EQ(no_name.error().to_string(),
            "t.csv:1: the header has no column 'name'; it has: model, start_us, duration_ms");
  EXPECT_FALSE(trace_of_text("name,duration_ms\n"));
  EXPECT_FALSE(trace_of_text("name,start_us\n"));
  EXPECT_FALSE(trace_of_text(""));
}

TEST(TimelineReader, SaysWhichCellIsBad) {
  const auto bad = read_rows(std::string(kOneRun) + "m,x,x,portable,12..5,0,1,0,8,0,Execute\r\n");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().to_string(), "t.csv:10: column start_us: '12..5' is not the number it should be");
  EXPECT_FALSE(trace_of_text("name,start_us,duration_ms\nx,1,1e300\n"));
  EXPECT_FALSE(trace_of_text("name,start_us,duration_ms,run_index\nx,1,1,zero\n"));
}

TEST(TimelineReader, CountsRowsWithHoles) {
  const auto trace = trace_of_text(
      "name,start_us,duration_ms,run_index\n"
      "a,,1,0\nb,nan,1,0\nc,5,,0\nd,5,NaN,0\ne,5,1,\nf,5\ng,5,1,0,surplus\n");
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->slices().size(), 4U);
  EXPECT_EQ(trace->quality().count("timeline_csv.missing_start"), 2U);
  EXPECT_EQ(trace->quality().count("timeline_csv.missing_duration"), 2U);
  EXPECT_EQ(trace->quality().count("timeline_csv.missing_run_index"), 1U);
  EXPECT_EQ(trace->quality().count("timeline_csv.short_row"), 1U);
  EXPECT_EQ(trace->quality().count("timeline_csv.long_row"), 1U);
  EXPECT_TRUE(has_flag(trace->slices().flags[index(find(*trace, "c"))], trace::SliceFlag::kEndUnknown));
}

TEST(TimelineReader, AcceptsAHeaderWithoutRows) {
  const auto trace = read_rows("");
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->slices().size(), 0U);
  EXPECT_EQ(trace->quality().count("timeline_csv.no_rows"), 1U);
}

}  // namespace
}  // namespace accelscope::formats::timeline_csv
