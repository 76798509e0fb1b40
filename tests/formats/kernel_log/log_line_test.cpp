#include "formats/kernel_log/log_line.h"

#include <gtest/gtest.h>

#include <string>

namespace accelscope::formats::kernel_log {
namespace {

TEST(LogLine, ReadsARegistration) {
  const LogLine line = parse_log_line(
      "Note (XNNPACK): Using igemm microkernel 'xnn_f16_igemm'. (init_f16_gemm_config, "
      "/src/gemm-config.c:253)\r");
  EXPECT_EQ(line.kind, LineKind::kRegistered);
  EXPECT_EQ(line.family, "igemm");
  EXPECT_EQ(line.symbol, "xnn_f16_igemm");
  EXPECT_EQ(line.function, "init_f16_gemm_config");
  EXPECT_EQ(line.place, "/src/gemm-config.c:253");
}

TEST(LogLine, ReadsARegistrationOfLogcatAndOfOlderReleases) {
  const LogLine logcat =
      parse_log_line("11-15 10:00:00.123  4242  4242 I XNNPACK : Using gemm microkernel 'xnn_a'.");
  EXPECT_EQ(logcat.kind, LineKind::kRegistered);
  EXPECT_EQ(logcat.symbol, "xnn_a");
  EXPECT_EQ(logcat.function, "");
  EXPECT_EQ(parse_log_line("it's 'quoted': uSiNG Copy MICROkernel 'k'").family, "Copy");
  EXPECT_EQ(parse_log_line("Using a microkernel '' and Using b microkernel 'k'").family, "b");
}

TEST(LogLine, ReadsOperators) {
  const LogLine line = parse_log_line(
      "Debug (XNNPACK): running operator 12:3 (Convolution (NHWC, PF16) IGEMM) (xnn_run, /src/run.c:2003)");
  EXPECT_EQ(line.kind, LineKind::kInvoked);
  EXPECT_EQ(line.index, 12U);
  EXPECT_EQ(line.sub_index, 3U);
  EXPECT_EQ(line.text, "Convolution (NHWC, PF16) IGEMM");
  EXPECT_EQ(line.name, "Convolution (NHWC, PF16)");
  EXPECT_EQ(line.ukernel, "IGEMM");
  const LogLine pooling =
      parse_log_line("running operator 0:0 (Average Pooling (NHWC, F32) Pixelwise Average Pooling)");
  EXPECT_EQ(pooling.ukernel, "Pixelwise Average Pooling");
  const LogLine plain = parse_log_line("running operator 0:0 (Copy Default)");
  EXPECT_EQ(plain.name, "Copy");
  EXPECT_EQ(plain.ukernel, "Default");
  EXPECT_EQ(parse_log_line("running operator 0:0 (Copy)").name, "Copy");
  EXPECT_EQ(parse_log_line("D XNNPACK : skip running operator 3:0 (Copy (NC, X32) Default)").kind,
            LineKind::kSkipped);
}

TEST(LogLine, LeavesOtherLinesAlone) {
  for (const char* text : {"", "'", "''", "Using 'quotes'", "microkernel 'x'", "Using  microkernel 'x'",
                           "Using two words microkernel 'x'", "confusing a microkernel", "running operator",
                           "running operator x:y (z)", "running operator 7 (z)"})
    EXPECT_EQ(parse_log_line(text).kind, LineKind::kNone) << text;
}

TEST(LogLine, KnowsDamage) {
  for (const std::string& text :
       {std::string("Using gemm microkernel 'xnn_f16"), std::string("Using gemm microkernel '"),
        std::string("running operator 1:"), std::string("running operator 1:2 (Convolution (NHWC"),
        std::string("running operator 1:2 ()"), "Using g microkernel '" + std::string(5000, 'x') + "'",
        "running operator 1:2 (" + std::string(5000, 'x') + ")"})
    EXPECT_EQ(parse_log_line(text).kind, LineKind::kDamaged) << text.substr(0, 60);
}

}  // namespace
}  // namespace accelscope::formats::kernel_log
