#include "compat/kit_kernels.h"

#include <gtest/gtest.h>

#include <string>

#include "base/mapped_file.h"
#include "formats/kernel_log/kernel_log_reader.h"

namespace accelscope::compat {
namespace {

using base::MappedFile;
using trace::Trace;

const std::string kFolder = std::string(ACCELSCOPE_FIXTURES_DIR) + "/executorch/";

Trace log_of(std::string_view text) {
  auto trace = formats::kernel_log::read_log(MappedFile::from_memory("a.log", text));
  EXPECT_TRUE(trace);
  return std::move(*trace);
}

Trace log_file(const std::string& path) {
  const auto file = MappedFile::open(path);
  EXPECT_TRUE(file) << path;
  return log_of(file ? file->text() : std::string_view{});
}

Trace table_of(std::string_view csv) {
  auto trace = formats::kernel_log::read_kernels_csv(MappedFile::from_memory("a.csv", csv));
  EXPECT_TRUE(trace);
  return std::move(*trace);
}

std::string csv_of(const Trace& log, std::string_view model) {
  base::MemoryOutput out;
  write_kit_kernels_csv(out, kit_kernels(log), model);
  return std::string(out.bytes());
}

std::string view_of(const Trace& on, const Trace& off, const KitKernelView& view) {
  base::MemoryOutput out;
  write_kit_kernel_view(out, kit_kernels(on), kit_kernels(off), view);
  return std::string(out.bytes());
}

std::string bytes_of(const std::string& path) {
  const auto file = MappedFile::open(path);
  return file ? std::string(file->text()) : "(no file " + path + ")";
}

constexpr std::string_view kLog =
    "Using transposec microkernel 'xnn_x8_transposec_ukernel__16x16_reuse_neon'\n"
    "Using gemm microkernel 'xnn_pf16_f16_igemm_minmax_ukernel_32x32c2__neonSME2'\n"
    "Using IGEMM microkernel 'xnn_pf16_f16_igemm_minmax_ukernel_32x32c2__neonSME2'\n"
    "Using odd microkernel 'a,b'\n";

TEST(KitKernels, TableIsTheKitsWrongPartsIncluded) {
  EXPECT_EQ(
      csv_of(log_of(kLog), "toy"),
      "model_id,kernel_name,category,count,dtype,xnn_op,variant,ukernel_shape,arch_chain,has_sme,has_sme2\r\n"
      "toy,xnn_pf16_f16_igemm_minmax_ukernel_32x32c2__neonSME2,igemm,2,pf16,f16,igemm,32x32c2,neonSME2,1,"
      "1\r\n"
      "toy,xnn_x8_transposec_ukernel__16x16_reuse_neon,transpose,1,x8,transposec,,,16x16_reuse_neon,0,0\r\n"
      "toy,\"a,b\",odd,1,,,,,,0,0\r\n");
  EXPECT_EQ(csv_of(log_of(""), "toy").find("\r\n") + 2, csv_of(log_of(""), "toy").size());
}

TEST(KitKernels, ATableReadBackGivesItselfAndTheSameView) {
  const Trace log = log_of(kLog);
  const Trace table = table_of(csv_of(log, "toy"));
  EXPECT_EQ(csv_of(table, "toy"), csv_of(log, "toy"));
  EXPECT_EQ(view_of(table, table, {}), view_of(log, log, {}));
}

TEST(KitKernels, ViewIsTheKits) {
  const Trace on =
      log_of("Using g microkernel 'b_sme2'\nUsing g microkernel 'a_neonsme'\nUsing g microkernel 'd'\n");
  const Trace off = log_of("Using g microkernel 'c_aarch64'\nUsing g microkernel 'd'\n");
  EXPECT_EQ(view_of(on, off, {.title = "T", .filter = ""}),
            "#### **T**\n\n"
            "| Kernel Name | SME2-On | SME2-Off | Architecture | Delegation |\n"
            "|-------------|----------|----------|-------------|------------|\n"
            "| `a_neonsme` | \u2705 **Present** | \u274C **Absent** | SME | XNNPACK Delegated |\n"
            "| `b_sme2` | \u2705 **Present** | \u274C **Absent** | SME2 | XNNPACK Delegated |\n"
            "| `c_aarch64` | \u274C **Absent** | \u2705 **Present** | NEON | XNNPACK Delegated |\n"
            "| `d` | \u2705 **Present** | \u2705 **Present** | Other | XNNPACK Delegated |\n");
  EXPECT_EQ(view_of(on, off, {.title = "T", .filter = "none"}),
            "#### **T**\n\nNo kernels found matching the filter criteria.\n");
  EXPECT_NE(view_of(on, off, {.title = "T", .filter = "SME2"}).find("b_sme2"), std::string::npos);
  EXPECT_EQ(kit_pipeline_view("toy").title, "toy: GEMM/IGEMM Kernel view (XNNPACK Delegated):");
}

TEST(KitKernelFixtures, TablesAndViewsOfLogsAgree) {
  const std::string folder = kFolder + "case3_kernels/";
  if (!MappedFile::open(folder + "on_xnntrace.log"))
    GTEST_SKIP() << "the conformance data is not beside this checkout";
  const Trace on = log_file(folder + "on_xnntrace.log");
  const Trace off = log_file(folder + "off_xnntrace.log");
  EXPECT_EQ(csv_of(on, "toy"), bytes_of(folder + "on_kernels.csv"));
  EXPECT_EQ(csv_of(off, "toy"), bytes_of(folder + "off_kernels.csv"));
  EXPECT_EQ(csv_of(log_file(folder + "on_android_logcat_xnntrace.log"), "toy"),
            bytes_of(folder + "on_android_logcat_kernels.csv"));
  EXPECT_EQ(view_of(on, off, {}), bytes_of(folder + "kernel_view_all.md"));
  EXPECT_EQ(view_of(on, off, {.title = "GEMM kernels:", .filter = "gemm"}),
            bytes_of(folder + "kernel_view_gemm_from_logs.md"));
  const Trace on_table = table_of(bytes_of(folder + "on_kernels.csv"));
  const Trace off_table = table_of(bytes_of(folder + "off_kernels.csv"));
  EXPECT_EQ(csv_of(on_table, "toy"), bytes_of(folder + "on_kernels.csv"));
  EXPECT_EQ(view_of(on_table, off_table, {}), bytes_of(folder + "kernel_view_all.md"));
  KitKernelView no_match;
  no_match.filter = "no such kernel";
  EXPECT_EQ(view_of(on, off, no_match), bytes_of(folder + "kernel_view_nomatch.md"));
}

TEST(KitKernelFixtures, WhatAPipelineWroteAgrees) {
  const std::string prefix = kFolder + "case1_mac_flat_pipeline_output/toy_cnn_xnnpack_fp16_mac_sme2_";
  if (!MappedFile::open(prefix + "on_trace_t1_xnntrace.log"))
    GTEST_SKIP() << "the conformance data is not beside this checkout";
  const Trace on = log_file(prefix + "on_trace_t1_xnntrace.log");
  const Trace off = log_file(prefix + "off_trace_t1_xnntrace.log");
  EXPECT_EQ(csv_of(on, "toy_cnn_xnnpack_fp16_mac_sme2_on_trace_t1"),
            bytes_of(prefix + "on_trace_t1_kernels.csv"));
  EXPECT_EQ(csv_of(off, "toy_cnn_xnnpack_fp16_mac_sme2_off_trace_t1"),
            bytes_of(prefix + "off_trace_t1_kernels.csv"));
  EXPECT_EQ(view_of(on, off, kit_pipeline_view("toy_cnn_xnnpack_fp16")),
            bytes_of(kFolder + "case1_mac_flat_pipeline_output/kernel_view_gemm.md"));
  const std::string android = "toy_cnn_xnnpack_fp16_android_sme2_on_xnnlog_t1";
  const std::string android_prefix = kFolder + "case1_android_flat_pipeline_output/" + android;
  EXPECT_EQ(csv_of(log_file(android_prefix + "_xnntrace.log"), android),
            bytes_of(android_prefix + "_kernels.csv"));
}

}  // namespace
}  // namespace accelscope::compat
