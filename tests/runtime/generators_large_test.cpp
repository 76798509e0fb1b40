#include <gtest/gtest.h>

#include "runtime/generators.h"
#include "runtime/graph_check.h"

namespace accelscope::runtime {
namespace {

TEST(Generators, MakeAMillionTasks) {
  for (const char* text :
       {"chain:tasks=1000000", "fan:width=1000000,work=empty,source=0,join=0",
        "random:tasks=1000000,expect=0", "bgemm:m=4096,n=4096,k=16128,tile=64,expect=0",
        "attention:heads=1024,queries=2048,keys=1024,dim=64,expect=0",
        "moe:layers=1024,experts=160,dim=4,hidden=4", "vector:layers=1000,tiles=340,rows=340"}) {
    const auto graph = generate(text);
    ASSERT_TRUE(graph) << graph.error().to_string();
    EXPECT_TRUE(check(*graph, {})) << text;
    EXPECT_GE(graph->tasks.size(), 980'000U) << text;
  }
}

}  // namespace
}  // namespace accelscope::runtime
