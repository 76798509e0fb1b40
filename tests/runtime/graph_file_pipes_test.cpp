// What a graph file says of the pipes of a function.
#include <gtest/gtest.h>

#include "runtime/graph_builder.h"
#include "runtime/graph_file.h"

namespace accelscope::runtime {
namespace {

std::string written(const GraphFile& file) {
  base::MemoryOutput out;
  EXPECT_TRUE(write_graph(out, file));
  return std::string(out.bytes());
}

std::string pipes_error(std::string_view json) {
  const auto file = parse_graph("g.json", json);
  return file ? "" : file.error().to_string();
}

TEST(PipesOfGraphFiles, SayWhatIsWrongWithThem) {
  const auto with_pipes = [](const std::string& pipes) {
    return pipes_error(R"({"functions": {"f": {"kernel": "empty", "pipes": )" + pipes + "}}}");
  };
  const std::string begin = "g.json: 1 error in the graph:\n  line 1: functions.f.pipes";
  EXPECT_EQ(with_pipes(R"({"tiles": 4096, "buffers": 64})"), "");
  EXPECT_EQ(with_pipes(R"({"buffers": 1})"), "");
  EXPECT_EQ(with_pipes(R"({"tiles": 0})"), begin + ".tiles: 0 is no whole number from 1 to 4096");
  EXPECT_EQ(with_pipes(R"({"tiles": 4097})"), begin + ".tiles: 4097 is no whole number from 1 to 4096");
  EXPECT_EQ(with_pipes(R"({"buffers": 65, "tiles": 1})"),
            begin + ".buffers: 65 is no whole number from 1 to 64");
  EXPECT_EQ(with_pipes("{}"), begin + ": says nothing: `tiles` and `buffers` are possible");
  EXPECT_EQ(with_pipes("2"), begin + ": an object is expected, this is a number");
  EXPECT_NE(with_pipes(R"({"tile": 2})").find("did you mean `tiles`?"), std::string::npos);
}

TEST(PipesOfGraphFiles, ComeBackEqual) {
  for (const Pipes pipes : {Pipes{}, Pipes{.tiles = 4096}, Pipes{.buffers = 64}, Pipes{16, 1}}) {
    GraphBuilder build("pipes");
    build.task({build.function({.name = "gemm", .kernel = "gemm", .pipes = pipes}), kNoKernel, kNoKernel});
    build.task({kNoKernel, build.function({"part", "empty", {0, 0}, {0, 0}, pipes}), kNoKernel});
    const GraphFile file{build.finish(), {}};
    const std::string json = written(file);
    const auto back = parse_graph("g.json", json);
    ASSERT_TRUE(back) << back.error().to_string();
    EXPECT_TRUE(*back == file) << json;
    EXPECT_EQ(written(*back), json);
  }
}

}  // namespace
}  // namespace accelscope::runtime
