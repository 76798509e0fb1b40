#include "compat/kit_files.h"

#include <gtest/gtest.h>

#include "base/file_names.h"
#include "compat/kit_fixtures.h"
#include "formats/etdump/etdump_reader.h"
#include "formats/timeline_csv/timeline_reader.h"

namespace accelscope::compat {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeader =
    "model_id,name,type,delegate_backend,start_us,end_us,duration_ms,pct_total,node_id,run_index,block\r\n";

// Two runs of a convolution and a softmax.
constexpr std::string_view kToyRows =
    "toy,native_call_convolution.out,native_call_convolution.out,portable,1.0,3.0,0.002,20.0,0,0,Execute\r\n"
    "toy,native_call_convolution.out,native_call_convolution.out,portable,11.0,15.0,0.004,20.0,0,1,"
    "Execute\r\n"
    "toy,native_call_rope.out,native_call_rope.out,portable,3.0,4.0,0.001,20.0,1,0,Execute\r\n"
    "toy,native_call_rope.out,native_call_rope.out,portable,15.0,16.0,0.001,20.0,1,1,Execute\r\n"
    "toy,Method::execute,Method::execute,portable,0.0,5.0,0.005,60.0,2,0,Execute\r\n"
    "toy,Method::execute,Method::execute,portable,10.0,17.0,0.007,60.0,2,1,Execute\r\n";

trace::Trace trace_of(std::string_view rows) {
  const auto file = base::MappedFile::from_memory("toy.csv", std::string(kHeader) + std::string(rows));
  auto trace = formats::timeline_csv::read_timeline(file);
  EXPECT_TRUE(trace) << trace.error().to_string();
  return std::move(*trace);
}

std::vector<std::string> names_of(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) names.emplace_back(base::file_name(path));
  return names;
}

TEST(KitFilesFixtures, AreWrittenFromARecording) {
  SKIP_WITHOUT_KIT_FIXTURES();
  const std::string prefix = "toy_cnn_xnnpack_fp16_mac_sme2_on_t1";
  const fs::path folder = kit_fixtures() / "case1_mac_flat_pipeline_output";
  const auto file = base::MappedFile::open((folder / (prefix + ".etdump")).string());
  ASSERT_TRUE(file);
  const auto trace = formats::etdump::read(*file);
  ASSERT_TRUE(trace);
  const tests::TemporaryFolder out;
  const auto files = write_kit_files(*trace, prefix, out.path(), "mac_sme2_on_t1");
  ASSERT_TRUE(files) << files.error().to_string();
  EXPECT_TRUE(files->left_out.empty());
  EXPECT_EQ(files->written.size(), 8U);
  for (const std::string& path : files->written) {
    const std::string name(base::file_name(path));
    fs::path expected = folder / name;
    if (!fs::exists(expected)) expected = kit_fixtures() / "case2_mac_expdirs" / "out_analyze_single" / name;
    EXPECT_EQ(tests::read_file(path), tests::read_file(expected.string())) << name;
  }
}

TEST(KitFilesFixtures, AreWrittenFromTwoTimelines) {
  SKIP_WITHOUT_KIT_FIXTURES();
  const fs::path runs = kit_fixtures() / "case2_mac_expdirs";
  const std::string on =
      (runs / "mac_sme2_on" / "toy_cnn_xnnpack_fp16_mac_sme2_on_t1_exec_all_runs_timeline.csv").string();
  const std::string off =
      (runs / "mac_sme2_off" / "toy_cnn_xnnpack_fp16_mac_sme2_off_t1_exec_all_runs_timeline.csv").string();
  const tests::TemporaryFolder out;
  const auto robust = write_kit_robust_comparison(off, on, out.path(), "SME2-Off", "SME2-On");
  ASSERT_TRUE(robust) << robust.error().to_string();
  EXPECT_EQ(robust->written.size(), 2U);
  for (const std::string& path : robust->written)
    EXPECT_EQ(tests::read_file(path),
              tests::read_file((runs / "out_robust" / fs::path(path).filename()).string()));
  const auto tables = write_kit_operator_comparison(on, off, out.path(), "SME2-Off", "SME2-On");
  ASSERT_TRUE(tables) << tables.error().to_string();
  EXPECT_EQ(tables->written.size(), 9U);
  for (const std::string& path : tables->written)
    EXPECT_EQ(
        tests::read_file(path),
        tests::read_file((runs / "out_analyze_compare_as_documented" / fs::path(path).filename()).string()));
}

TEST(KitFiles, AreAllThatTheKitMakesOfARecording) {
  const tests::TemporaryFolder out;
  const auto files = write_kit_files(trace_of(kToyRows), "größe_t1", out.file("new/folder"), "größe");
  ASSERT_TRUE(files) << files.error().to_string();
  EXPECT_EQ(names_of(files->written),
            (std::vector<std::string>{"größe_t1_exec_all_runs_timeline.csv",
                                      "größe_t1_exec_run0_timeline.csv", "größe_t1_exec_ops_stats.csv",
                                      "größe_t1_exec_all_runs_timeline_robust_stats.json",
                                      "größe_t1_category_summary.csv", "größe_t1_operator_details.csv",
                                      "größe_t1_e2e_latency.csv", "größe_t1_other_top_ops.csv"}));
  EXPECT_EQ(tests::read_file(out.file("new/folder/größe_t1_category_summary.csv")),
            "category,total_ms,avg_ms,pct_of_e2e,operator_count\n"
            "CONV,0.006,0.003,50.0,1\n"
            "OTHER,0.002,0.001,16.666666666666664,1\n");
  EXPECT_EQ(tests::read_file(out.file("new/folder/größe_t1_e2e_latency.csv")),
            "model_name,num_runs,total_ms,avg_ms,min_ms,max_ms\ngröße_t1,2,0.012,0.006,0.005,0.007\n");
  EXPECT_EQ(tests::read_file(out.file("new/folder/größe_t1_other_top_ops.csv")),
            "operator,category,total_ms,avg_ms,pct_of_e2e,event_count\n"
            "native_call_rope.out,OTHER,0.002,0.001,16.666666666666664,2\n");
}

TEST(KitFiles, LeaveOutStatisticsWithoutAnExecution) {
  const tests::TemporaryFolder out;
  const auto files =
      write_kit_files(trace_of("toy,Method::init,Method::init,portable,0.0,5.0,0.005,100.0,0,0,Default\r\n"),
                      "toy", out.path(), "toy");
  ASSERT_TRUE(files) << files.error().to_string();
  EXPECT_EQ(files->written.size(), 3U);
  ASSERT_EQ(files->left_out.size(), 1U);
  EXPECT_EQ(files->left_out[0],
            "robust statistics and operator tables: No 'Method::execute' event found in timeline CSV");
}

TEST(KitFiles, RefuseModelNamesThatLeadElsewhere) {
  const tests::TemporaryFolder out;
  tests::write_file(out.file("a.csv"),
                    "model_id,name,duration_ms,run_index\n../evil,Method::execute,1,0\n../evil,add,1,0\n");
  const auto files =
      write_kit_operator_comparison(out.file("a.csv"), out.file("a.csv"), out.file("out"), "a", "b");
  ASSERT_FALSE(files);
  EXPECT_NE(files.error().message.find("has a '/'"), std::string::npos);
  EXPECT_FALSE(write_kit_robust_comparison(out.file("none.csv"), out.file("a.csv"), out.path(), "a", "b"));
}

// A folder with experiments in folders of their own, beside files of the flat kind.
class Runs {
 public:
  Runs() {
    for (const char* folder : {"sme2_on", "sme2_off"}) fs::create_directories(folder_.file(folder));
    tests::write_file(folder_.file("sme2_on/b_exec_all_runs_timeline.csv"), timeline(1));
    tests::write_file(folder_.file("sme2_on/b_exec_run0_timeline.csv"), timeline(9));
    tests::write_file(folder_.file("sme2_on/b_exec_ops_stats.csv"), "name,type,total_ms\nconv,conv,1\n");
    tests::write_file(folder_.file("sme2_off/a_run0_timeline.csv"), timeline(2));
    tests::write_file(folder_.file("flat_exec_ops_stats.csv"), "name,type,total_ms\nconv,conv,x\n");
    tests::write_file(folder_.file("old_all_runs_timeline.csv"), "no header at all");
  }
  static std::string timeline(int ms) {
    return "name,duration_ms,run_index\nMethod::execute," + std::to_string(ms) + ",0\n";
  }
  const std::string& path() const { return folder_.path(); }
  std::string file(std::string_view name) const { return folder_.file(name); }

 private:
  tests::TemporaryFolder folder_;
};

TEST(KitFolder, FindsExperimentsByFolderAndByFile) {
  const Runs runs;
  const auto found = discover_kit_experiments(runs.path());
  ASSERT_TRUE(found) << found.error().to_string();
  ASSERT_EQ(found->size(), 4U);
  EXPECT_EQ((*found)[0].name, "old_all_runs_timeline");
  EXPECT_EQ((*found)[1].name, "sme2_on");
  EXPECT_EQ((*found)[1].timeline, runs.file("sme2_on/b_exec_all_runs_timeline.csv"));
  EXPECT_EQ((*found)[1].stats, runs.file("sme2_on/b_exec_ops_stats.csv"));
  EXPECT_EQ((*found)[2].name, "sme2_off");
  EXPECT_EQ((*found)[3].name, "flat");
  const auto with_slash = discover_kit_experiments(runs.path() + "/");
  ASSERT_TRUE(with_slash);
  EXPECT_EQ((*with_slash)[3].name, "flat");
  EXPECT_FALSE(discover_kit_experiments(runs.file("nowhere")));
}

TEST(KitFolder, TakesLatenciesFromMetricsWhereTheTimelineHasNone) {
  const Runs runs;
  tests::write_file(runs.file("metrics.json"),
                    R"({"results":[{"experiment":"flat","metrics":{"latency_ms":[4,6]}}]})");
  const auto facts = kit_report_facts(runs.path(), ".");
  ASSERT_TRUE(facts) << facts.error().to_string();
  ASSERT_EQ(facts->experiments.size(), 4U);
  EXPECT_TRUE(facts->experiments[0].latencies.empty());
  EXPECT_EQ(facts->experiments[1].latencies, (std::vector<double>{1}));
  EXPECT_EQ(facts->experiments[1].category_ms, (std::map<std::string, double>{{"Convolution", 1}}));
  EXPECT_EQ(facts->experiments[3].latencies, (std::vector<double>{4, 6}));
  EXPECT_TRUE(facts->experiments[3].category_ms.empty());
  tests::write_file(runs.file("metrics.json"),
                    R"({"results":[{"experiment":"flat","metrics":{"avg_latency_ms":4}}]})");
  EXPECT_FALSE(kit_report_facts(runs.path(), "."));
  tests::write_file(runs.file("metrics.json"), "{");
  EXPECT_TRUE(kit_report_facts(runs.path(), "."));
}

TEST(KitFolder, ReportsAndRefusesToReport) {
  const Runs runs;
  const auto files = write_kit_report(runs.path(), {.generated = "now", .out = runs.file("sub/r.md")});
  ASSERT_TRUE(files) << files.error().to_string();
  EXPECT_NE(
      tests::read_file(runs.file("sub/r.md")).find("| **Median Latency** | 1.000 ms | 2.000 ms | 2.00x |"),
      std::string::npos);
  const auto combined = write_kit_combined(runs.path(), runs.file("nowhere"), {.out = runs.file("c.md")});
  ASSERT_TRUE(combined) << combined.error().to_string();
  EXPECT_NE(tests::read_file(runs.file("c.md")).find("| macOS | 2.00x |"), std::string::npos);
  tests::write_file(runs.file("manifest.json"), "{");
  EXPECT_FALSE(write_kit_report(runs.path(), {}));
  const tests::TemporaryFolder empty;
  EXPECT_FALSE(write_kit_report(empty.path(), {}));
  EXPECT_FALSE(write_kit_report(empty.file("nowhere"), {}));
  EXPECT_FALSE(write_kit_combined(empty.path(), empty.file("nowhere"), {}));
  EXPECT_TRUE(empty.names().empty());
}

TEST(KitFolder, IsValidatedByTheNamesOfItsFiles) {
  const tests::TemporaryFolder folder;
  const std::string path = resolved_path(folder.path());
  KitValidation validation = kit_validate(folder.path());
  EXPECT_FALSE(validation.valid);
  EXPECT_EQ(validation.text, "✅ run dir exists: " + path +
                                 "\n❌ manifest.json missing\n❌ metrics.json missing\n❌ no .etdump found\n");
  tests::write_file(folder.file("manifest.json"), R"({"results":{}})");
  tests::write_file(folder.file("metrics.json"), "not even JSON");
  tests::write_file(folder.file("text.etdump"), "not an ETDump");
  validation = kit_validate(folder.path());
  EXPECT_FALSE(validation.valid);
  EXPECT_EQ(validation.text,
            "✅ run dir exists: " + path +
                "\n✅ manifest.json exists\n✅ metrics.json exists\n✅ found 1 .etdump file(s)\n"
                "❌ manifest missing model field\n❌ manifest missing results[]\n");
  tests::write_file(folder.file("manifest.json"), "{");
  EXPECT_NE(kit_validate(folder.path()).text.find("❌ manifest JSON parse error: "), std::string::npos);
  EXPECT_EQ(kit_validate(folder.file("gone")).text,
            "❌ missing run dir: " + path +
                "/gone\n❌ manifest.json missing\n❌ metrics.json missing\n❌ no .etdump found\n");
}

}  // namespace
}  // namespace accelscope::compat
