// The logs that lie beside the checkout.
#include <gtest/gtest.h>

#include <string>

#include "formats/kernel_log/kernel_log_reader.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::kernel_log {
namespace {

std::size_t count(const trace::Trace& trace, std::string_view category) {
  std::size_t found = 0;
  for (std::uint32_t i = 0; i < trace.instants().size(); ++i)
    if (trace.category_name(trace.instants().category[i]) == category) ++found;
  return found;
}

TEST(KernelLogFixtures, AreReadInAllTheirForms) {
  const std::string folder = std::string(ACCELSCOPE_FIXTURES_DIR) + "/executorch/case3_kernels/";
  for (const char* name : {"on_xnntrace.log", "on_android_logcat_xnntrace.log"}) {
    const auto file = base::MappedFile::open(folder + name);
    if (!file) GTEST_SKIP() << "the conformance data is not beside this checkout";
    EXPECT_TRUE(looks_like_kernel_log(file->text())) << name;
    const auto trace = read_log(*file);
    ASSERT_TRUE(trace) << trace.error().to_string();
    EXPECT_EQ(count(*trace, trace::category::kKernelRegistered), 16U) << name;
    EXPECT_EQ(count(*trace, trace::category::kOperatorInvoked), 4U) << name;
    EXPECT_EQ(trace->quality().rows().size(), 1U) << name;
  }
  const auto file = base::MappedFile::open(folder + "on_kernels.csv");
  ASSERT_TRUE(file);
  EXPECT_TRUE(looks_like_kernels_csv(file->text()));
  const auto trace = read_kernels_csv(*file);
  ASSERT_TRUE(trace);
  EXPECT_EQ(count(*trace, trace::category::kKernelRegistered), 16U);
}

}  // namespace
}  // namespace accelscope::formats::kernel_log
