#include <gtest/gtest.h>

#include <string>

#include "formats/kernel_log/kernel_log_reader.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::kernel_log {
namespace {

using base::MappedFile;

constexpr std::string_view kHeader =
    "model_id,kernel_name,category,count,dtype,xnn_op,variant,ukernel_shape,arch_chain,has_sme,has_sme2\r\n";

auto read_csv(const std::string& text) {
  return read_kernels_csv(MappedFile::from_memory("k.csv", text));
}

TEST(KernelsCsv, BecomesInstants) {
  const auto trace = read_csv(std::string(kHeader) +
                              "toy,xnn_a,gemm,1,f16,gemm,minmax,1x16,neon,0,0\r\n"
                              "toy,xnn_b,transpose,3,x8,transposec,,,neon,0,0\r\n");
  ASSERT_TRUE(trace) << trace.error().to_string();
  ASSERT_EQ(trace->instants().size(), 2U);
  EXPECT_EQ(trace->text(trace->instants().name[1]), "xnn_b");
  EXPECT_EQ(trace->instants().time[1].value, 3);
  const trace::ArgId args = trace->instants().first_arg[1];
  EXPECT_EQ(trace->find_arg(args, trace::arg::kCount).as_int(), 3);
  EXPECT_EQ(trace->text(trace->find_arg(args, trace::arg::kKernelFamily).as_text()), "transpose");
  ASSERT_EQ(trace->facts().size(), 1U);
  EXPECT_EQ(trace->text(trace->facts()[0].value.as_text()), "toy");
}

TEST(KernelsCsv, ColumnsMayStandAnywhere) {
  const auto trace = read_csv("count,kernel_name,category\n2,xnn_a,gemm\n");
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->find_arg(trace->instants().first_arg[0], trace::arg::kCount).as_int(), 2);
}

TEST(KernelsCsv, NotesOddRows) {
  const auto trace =
      read_csv(std::string(kHeader) + "toy\ntoy,xnn_a,gemm,many\nmine,xnn_b,gemm,-1\ntoy,xnn_c,gemm\n");
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->instants().size(), 3U);
  EXPECT_EQ(trace->quality().count("kernel_log.short_row"), 1U);
  EXPECT_EQ(trace->quality().count("kernel_log.bad_count"), 3U);
  EXPECT_TRUE(trace->facts().empty());
}

TEST(KernelsCsv, RefusesWhatIsNoTable) {
  EXPECT_FALSE(read_csv(""));
  EXPECT_FALSE(read_csv("a,b\n1,2\n"));
  EXPECT_FALSE(read_csv(std::string(kHeader) + "toy,\"xnn_a\n"));
  EXPECT_TRUE(looks_like_kernels_csv(kHeader));
  EXPECT_FALSE(looks_like_kernels_csv(""));
  EXPECT_FALSE(looks_like_kernels_csv("kernel_name\n"));
}

}  // namespace
}  // namespace accelscope::formats::kernel_log
