#include "formats/kernel_log/kernel_log_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "trace/vocabulary.h"

namespace accelscope::formats::kernel_log {
namespace {

using base::MappedFile;
using trace::Trace;

Trace read(std::string_view text) {
  auto trace = read_log(MappedFile::from_memory("a.log", text));
  EXPECT_TRUE(trace) << trace.error().to_string();
  return std::move(*trace);
}

std::string_view text_arg(const Trace& trace, std::uint32_t instant, std::string_view name) {
  const trace::Value value = trace.find_arg(trace.instants().first_arg[instant], name);
  return value.type == trace::ValueType::kString ? trace.text(value.as_text()) : std::string_view("(none)");
}

std::string_view category(const Trace& trace, std::uint32_t instant) {
  return trace.category_name(trace.instants().category[instant]);
}

constexpr std::string_view kLog =
    "I executor_runner.cpp:210] Model is loaded.\n"
    "Note (XNNPACK): Using gemm microkernel 'xnn_f16_gemm'. (init_f16_gemm_config, gemm-config.c:12)\n"
    "\n"
    "Debug (XNNPACK): running operator 0:0 (Convert (NC) Default) (run, run.c:3)\n"
    "Debug (XNNPACK): skip running operator 1:0 (Copy (NC, X32) Default) (run, run.c:3)\n"
    "Debug (XNNPACK): running operator 2:1 (Fully Connected (NC, F16) GEMM) (run, run.c:3)";

TEST(KernelLog, BecomesInstantsPlacedByLine) {
  const Trace trace = read(kLog);
  ASSERT_EQ(trace.tracks().size(), 1U);
  EXPECT_EQ(trace.text(trace.tracks()[0].name), "kernel log");
  EXPECT_FALSE(trace.clock_of(trace::TrackId{0}).frequency.known());
  ASSERT_EQ(trace.instants().size(), 4U);
  EXPECT_EQ(trace.instants().time[0].value, 2);
  EXPECT_EQ(trace.instants().time[3].value, 6);
  EXPECT_EQ(category(trace, 0), trace::category::kKernelRegistered);
  EXPECT_EQ(category(trace, 1), trace::category::kOperatorInvoked);
  EXPECT_EQ(category(trace, 2), trace::category::kOperatorSkipped);
  EXPECT_EQ(text_arg(trace, 0, trace::arg::kSymbol), "xnn_f16_gemm");
  EXPECT_EQ(text_arg(trace, 0, trace::arg::kKernelFamily), "gemm");
  EXPECT_EQ(text_arg(trace, 0, trace::arg::kInitFunction), "init_f16_gemm_config");
  EXPECT_EQ(text_arg(trace, 0, trace::arg::kSourcePlace), "gemm-config.c:12");
  EXPECT_EQ(text_arg(trace, 3, trace::arg::kOperatorName), "Fully Connected (NC, F16)");
  EXPECT_EQ(text_arg(trace, 3, trace::arg::kUkernel), "GEMM");
  EXPECT_EQ(trace.find_arg(trace.instants().first_arg[3], trace::arg::kOperatorIndex).as_int(), 2);
  EXPECT_EQ(trace.find_arg(trace.instants().first_arg[3], trace::arg::kOperatorSubIndex).as_int(), 1);
  EXPECT_EQ(trace.quality().count("kernel_log.no_times"), 1U);
  EXPECT_EQ(trace.quality().count("kernel_log.registered_only"), 0U);
  EXPECT_EQ(trace.sources()[0].format, "kernel-log");
}

TEST(KernelLog, SaysWhenNothingIsKnownToHaveRun) {
  EXPECT_EQ(read("Using gemm microkernel 'x'\n").quality().count("kernel_log.registered_only"), 1U);
}

TEST(KernelLog, LeavesDamageOutAndCountsIt) {
  const Trace trace = read("Using gemm microkernel 'x'\nUsing gemm microkernel 'y\nrunning operator 1:0 (Co");
  EXPECT_EQ(trace.instants().size(), 1U);
  EXPECT_EQ(trace.quality().count("kernel_log.damaged_line"), 2U);
}

TEST(KernelLog, TakesAnyBytes) {
  EXPECT_EQ(read("").instants().size(), 0U);
  EXPECT_EQ(read("\n\n\n").instants().size(), 0U);
  const Trace trace = read("Using gemm microkernel '\xFF\xFE'\n");
  EXPECT_EQ(text_arg(trace, 0, trace::arg::kSymbol), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(read(std::string(100'000, '\'')).instants().size(), 0U);
  const Trace huge = read("running operator 18446744073709551615:18446744073709551615 (a b)");
  EXPECT_EQ(huge.find_arg(huge.instants().first_arg[0], trace::arg::kOperatorIndex).as_int(), INT64_MAX);
}

TEST(KernelLog, IsRecognisedByItsLines) {
  EXPECT_TRUE(looks_like_kernel_log(kLog));
  EXPECT_TRUE(looks_like_kernel_log(kLog.substr(kLog.find("Debug"))));
  EXPECT_TRUE(looks_like_kernel_log(std::string(1'000'000, 'x') + "\n" + std::string(kLog)));
  EXPECT_FALSE(looks_like_kernel_log(""));
  EXPECT_FALSE(looks_like_kernel_log("a microkernel 'x'\nrunning operator now\n"));
  EXPECT_FALSE(looks_like_kernel_log(std::string(1, '\0') + std::string(kLog)));
}

}  // namespace
}  // namespace accelscope::formats::kernel_log
