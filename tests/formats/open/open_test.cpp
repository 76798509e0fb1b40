#include "formats/open/open.h"

#include <gtest/gtest.h>

#include "formats/etdump/etdump_writer.h"
#include "formats/etdump/sample_dumps.h"
#include "support/temporary_folder.h"

namespace accelscope::formats::open {
namespace {

using tests::TemporaryFolder;
using tests::write_file;

std::string toy_dump() {
  return etdump::write_etdump(etdump::toy_dump(etdump::ToySpeed::kFast));
}

TEST(Readers, FormatsAreRecognisedByContentAlone) {
  const auto name_of = [](std::string_view bytes) {
    const Reader* reader = reader_for(bytes);
    return reader == nullptr ? std::string_view("none") : reader->name;
  };
  EXPECT_EQ(name_of(toy_dump()), "etdump");
  EXPECT_EQ(name_of("[{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1,\"name\":\"a\"}]"), "chrome-json");
  EXPECT_EQ(name_of("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[]}"), "chrome-json");
  EXPECT_EQ(name_of("model_id,name,type,delegate_backend,start_us,end_us,duration_ms,pct_total,node_id,run_"
                    "index,block\r\n"),
            "timeline-csv");
  EXPECT_EQ(name_of("model_id,name,type,delegate_backend,count,total_ms,avg_ms,pct_total\r\n"), "ops-csv");
  EXPECT_EQ(name_of("model_id,kernel_name,category,count,dtype\r\n"), "kernels-csv");
  EXPECT_EQ(name_of("hello\nNote (XNNPACK): Using gemm microkernel 'xnn_f32'.\n"), "kernel-log");
  EXPECT_EQ(name_of("# Writing etdump.bin [base64]\nUsing gemm microkernel 'xnn_f32'.\n"), "etdump-uart");
  EXPECT_EQ(name_of(""), "none");
  EXPECT_EQ(name_of("hello, world\n"), "none");
  EXPECT_EQ(name_of("{\"runs\":[]}"), "none");
}

TEST(Readers, NamesAreUnique) {
  for (const Reader& reader : readers()) EXPECT_EQ(reader_named(reader.name), &reader);
  EXPECT_EQ(reader_named("none"), nullptr);
}

TEST(Open, TheEndingDoesNotMatter) {
  const TemporaryFolder folder;
  write_file(folder.file("dump.json"), toy_dump());
  const auto trace = open_trace(folder.file("dump.json"), {});
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->sources()[0].format, "etdump");
}

TEST(Open, InputsOfEqualNamesAreToldApartByTheirPaths) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("a"));
  std::filesystem::create_directory(folder.file("b"));
  write_file(folder.file("a/m.etdump"), toy_dump());
  write_file(folder.file("b/m.etdump"), toy_dump());
  const auto trace =
      open_traces(std::vector<std::string>{folder.file("a/m.etdump"), folder.file("b/m.etdump")}, {});
  ASSERT_TRUE(trace);
  EXPECT_NE(trace->text(trace->tracks()[0].name).find("a/m.etdump"), std::string_view::npos);
  EXPECT_EQ(trace->quality().count("open.aligned_inputs"), 1U);
}

TEST(Open, InputsAreLaidOverEachOtherWhereTheyBegin) {
  const TemporaryFolder folder;
  const auto event_at = [](std::string_view start) {
    return "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"a\",\"dur\":2,\"ts\":" + std::string(start) + "}]";
  };
  write_file(folder.file("early.json"), event_at("5"));
  write_file(folder.file("late.json"), event_at("86400000000"));
  const auto trace =
      open_traces(std::vector<std::string>{folder.file("early.json"), folder.file("late.json")}, {});
  ASSERT_TRUE(trace);
  ASSERT_EQ(trace->clock_relations().size(), 1U);
  const trace::Ticks late_start = trace->slices().start[1];
  EXPECT_EQ(trace::map_time(trace->clock_relations()[0], late_start)->value, trace->slices().start[0]);
}

TEST(Open, OptionsWithoutUseAndEmptyInputsAreSaid) {
  const TemporaryFolder folder;
  write_file(folder.file("empty.json"), "{\"traceEvents\":[]}");
  OpenOptions options;
  options.read.time_unit = etdump::TimeUnit::cycles();
  const auto trace = open_trace(folder.file("empty.json"), options);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->quality().count("open.unused_option"), 1U);
  EXPECT_EQ(trace->quality().count("open.no_slices"), 1U);
}

TEST(Open, ABadSiblingEtrecordIsAWarningAndABadGivenOneAnError) {
  const TemporaryFolder folder;
  write_file(folder.file("m.etdump"), toy_dump());
  write_file(folder.file("m.etrecord"), "not a zip");
  const auto trace = open_trace(folder.file("m.etdump"), {});
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->quality().count("open.bad_sibling_etrecord"), 1U);
  OpenOptions with_record;
  with_record.etrecord = folder.file("m.etrecord");
  EXPECT_FALSE(open_trace(folder.file("m.etdump"), with_record));
}

}  // namespace
}  // namespace accelscope::formats::open
