#include "formats/open/open.h"

#include <gtest/gtest.h>

#include "formats/chip_swimlane/sample_captures.h"
#include "formats/etdump/etdump_writer.h"
#include "formats/etdump/sample_dumps.h"
#include "support/temporary_folder.h"
#include "trace/chip_run.h"

namespace accelscope::formats::open {
namespace {

using tests::TemporaryFolder;
using tests::write_file;

std::string toy_dump() {
  return etdump::write_etdump(etdump::toy_dump(etdump::ToySpeed::kFast));
}

constexpr std::string_view kDeps =
    R"({"tasks":[{"task_id":"0","kernel_ids":[4,-1,-1],"block_num":1}],"edges":[]})";
constexpr std::string_view kNames = R"({"level":2,"callable_id_to_name":{"4":"ADD"}})";
constexpr std::string_view kHostPhases =
    R"({"pid": 7, "inv": 1, "clock": "host_monotonic_ns", "dropped": 0, "records": [)"
    R"({"phase": "host_orch", "start_ns": 10, "end_ns": 20, "detail": 0, "tid": 70}]})"
    "\n";
constexpr std::string_view kLog =
    "x: [STRACE] v=1 pid=7 tid=70 inv=1 hid=0 depth=0 name=chip.run ts=5 dur=20\n";

// One cube core that ran task 0.
std::string swimlane() {
  return R"({"chip_swimlane_level": 1, "metadata": {"clock_freq_hz": 50000000, "num_cores": 1, "core_types": ["aic"]},
             "aicore_tasks": [[0,0,1,100,200,5]], "aicpu_tasks": []})";
}

std::string name_of_first_slice(const trace::Trace& trace) {
  return std::string(trace.text(trace.slices().name[0]));
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
  EXPECT_EQ(name_of(swimlane()), "chip-swimlane");
  EXPECT_EQ(name_of(kHostPhases), "host-phases");
  EXPECT_EQ(name_of(kLog), "strace-log");
  EXPECT_EQ(name_of(kDeps), "none");
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

TEST(OpenChipRun, EveryGenerationIsARunOfAChip) {
  const TemporaryFolder folder;
  for (const chip_swimlane::SampleCapture& sample : chip_swimlane::sample_captures()) {
    SCOPED_TRACE(sample.name);
    const std::string path = folder.file(sample.name);
    write_file(path, sample.json);
    const auto trace = open_trace(path, {});
    ASSERT_TRUE(trace) << trace.error().to_string();
    EXPECT_EQ(trace->sources()[0].format, "chip-swimlane");
    ASSERT_TRUE(trace::is_chip_run(*trace));
    const trace::ChipRun chip = trace::chip_run(*trace);
    EXPECT_EQ(chip.level, sample.level);
    std::size_t dispatches = 0;
    for (const trace::ChipCore& core : chip.cores)
      dispatches += trace::dispatches_of(*trace, core.track).size();
    EXPECT_EQ(dispatches, 4U);
    EXPECT_EQ(chip.schedulers.empty(), sample.level < 3);
    EXPECT_EQ(chip.orchestrators.empty(), sample.level < 4);
    EXPECT_FALSE(trace->quality().has_errors());
  }
}

TEST(OpenChipRun, WhatLiesBesideASwimlaneIsUsedUnlessItIsNotWanted) {
  const TemporaryFolder folder;
  write_file(folder.file("run.json"), swimlane());
  write_file(folder.file("deps.json"), kDeps);
  write_file(folder.file("name_map_x.json"), kNames);
  const auto trace = open_trace(folder.file("run.json"), {});
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(name_of_first_slice(*trace), "ADD");
  EXPECT_EQ(trace->sources().size(), 3U);
  EXPECT_EQ(trace->quality().count("chip_run.siblings_found"), 2U);
  EXPECT_EQ(sibling_files(folder.file("run.json"), {}),
            (std::vector<std::string>{folder.file("deps.json"), folder.file("name_map_x.json")}));
  OpenOptions alone;
  alone.find_siblings = false;
  const auto plain = open_trace(folder.file("run.json"), alone);
  ASSERT_TRUE(plain);
  EXPECT_EQ(name_of_first_slice(*plain), "task");
  EXPECT_TRUE(sibling_files(folder.file("run.json"), alone).empty());
}

TEST(OpenChipRun, FilesOfTheRunMayBeInputsOrOptions) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("elsewhere"));
  write_file(folder.file("run.json"), swimlane());
  const std::string deps = folder.file("elsewhere/deps.json");
  const std::string names = folder.file("elsewhere/names.json");
  const std::string log = folder.file("elsewhere/run.log");
  write_file(deps, kDeps);
  write_file(names, kNames);
  write_file(log, kLog);
  const auto by_inputs = open_traces(std::vector<std::string>{deps, folder.file("run.json"), names, log}, {});
  ASSERT_TRUE(by_inputs) << by_inputs.error().to_string();
  EXPECT_EQ(by_inputs->sources().size(), 4U);
  EXPECT_EQ(by_inputs->quality().count("open.aligned_inputs"), 0U) << "one trace, not several";
  EXPECT_EQ(by_inputs->slices().size(), 2U);
  OpenOptions options;
  chip_run::path_of(options.chip_files, chip_run::SiblingKind::kDeps) = deps;
  const auto by_options = open_trace(folder.file("run.json"), options);
  ASSERT_TRUE(by_options);
  EXPECT_EQ(name_of_first_slice(*by_options), "func_4");
  const auto twice = open_traces(std::vector<std::string>{folder.file("run.json"), deps, deps}, {});
  ASSERT_FALSE(twice);
  EXPECT_NE(twice.error().message.find("second deps"), std::string::npos) << twice.error().message;
  const auto unused = open_trace(log, options);
  ASSERT_TRUE(unused);
  EXPECT_EQ(unused->quality().count("open.unused_option"), 1U);
}

TEST(OpenChipRun, ADirectoryStandsForTheSwimlaneInIt) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("run"));
  EXPECT_EQ(run_in(folder.file("run")).value(), std::nullopt);
  EXPECT_EQ(run_in(folder.file("nowhere")).value(), std::nullopt);
  write_file(folder.file("run/deps.json"), kDeps);
  write_file(folder.file("run/merged_swimlane.json"), R"({"traceEvents":[]})");
  write_file(folder.file("run/notes.txt"), swimlane());
  std::filesystem::create_directory(folder.file("run/folder.json"));
  EXPECT_EQ(run_in(folder.file("run")).value(), std::nullopt);
  write_file(folder.file("run/any name.json"), swimlane());
  EXPECT_EQ(run_in(folder.file("run")).value(), folder.file("run/any name.json"));
  const auto trace = open_traces(std::vector<std::string>{folder.file("run")}, {});
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_TRUE(trace::is_chip_run(*trace));
  EXPECT_EQ(trace->sources()[1].format, "deps");

  std::vector<std::string> paths = {folder.file("run"), folder.path(), folder.file("run/deps.json")};
  ASSERT_TRUE(enter_run_directories(paths));
  EXPECT_EQ(paths, (std::vector<std::string>{folder.file("run/any name.json"), folder.path(),
                                             folder.file("run/deps.json")}));
}

TEST(OpenChipRun, ADirectoryWithSeveralSwimlanesIsRefusedByName) {
  const TemporaryFolder folder;
  write_file(folder.file("b.json"), swimlane());
  write_file(folder.file("a.json"), swimlane());
  const auto several = run_in(folder.path());
  ASSERT_FALSE(several);
  EXPECT_NE(several.error().message.find("holds 2 chip swimlanes: a.json, b.json"), std::string::npos)
      << several.error().message;
  EXPECT_FALSE(open_traces(std::vector<std::string>{folder.path()}, {}));
}

TEST(OpenChipRun, AFileOfTheRunAloneIsRefusedUnlessItHoldsTimes) {
  const TemporaryFolder folder;
  write_file(folder.file("deps.json"), kDeps);
  const auto deps = open_trace(folder.file("deps.json"), {});
  ASSERT_FALSE(deps);
  EXPECT_NE(deps.error().message.find("holds dependencies, not times"), std::string::npos)
      << deps.error().message;
  write_file(folder.file("phases.jsonl"), kHostPhases);
  const auto phases = open_trace(folder.file("phases.jsonl"), {});
  ASSERT_TRUE(phases) << phases.error().to_string();
  EXPECT_EQ(name_of_first_slice(*phases), "host_orch");
  write_file(folder.file("run.log"), kLog);
  const auto log = open_trace(folder.file("run.log"), {});
  ASSERT_TRUE(log);
  EXPECT_EQ(name_of_first_slice(*log), "chip.run");
}

}  // namespace
}  // namespace accelscope::formats::open
