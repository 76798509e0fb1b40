#include "runtime/kernels/registry.h"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "runtime/kernel_pipes.h"
#include "runtime/kernels/kernel_harness.h"
#include "support/temporary_folder.h"

namespace accelscope::runtime {
namespace {

std::string odd_library(const std::string& what) {
  return std::string(ODD_LIBRARIES) + "/odd_library_" + what + ".so";
}

TEST(KernelRegistries, HaveTheBuiltInKernels) {
  const KernelRegistry registry = KernelRegistry::with_builtins();
  const std::vector<std::string_view> names = registry.names();
  EXPECT_EQ(names.size(), 29U);
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  const std::set<std::string_view> on_cube = {"gemm", "gemm_add", "gemm_nt"};
  for (const std::string_view name : names) {
    const accelscope_kernel* kernel = registry.find(name);
    ASSERT_NE(kernel, nullptr);
    EXPECT_EQ(kernel->name, name);
    EXPECT_NE(kernel->run, nullptr) << name;
    EXPECT_NE(kernel->work, nullptr) << name;
    EXPECT_EQ(kernel->engine == ACCELSCOPE_ENGINE_CUBE, on_cube.count(name) > 0) << name;
    EXPECT_EQ(registry.origin_of(name), "built in");
  }
  EXPECT_EQ(registry.find("gemn"), nullptr);
  EXPECT_EQ(registry.origin_of("gemn"), "");
}

// Every name has its row in the documentation.
TEST(KernelRegistries, AreDocumented) {
  std::ifstream file(ACCELSCOPE_SOURCE_DIR "/docs/kernels.md");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const KernelRegistry registry = KernelRegistry::with_builtins();
  for (const std::string_view name : registry.names())
    EXPECT_NE(text.find("| `" + std::string(name) + "("), std::string::npos) << name;
}

std::vector<std::string> words_in(std::string text) {
  std::erase_if(text, [](char c) { return c == ' '; });
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

// A tensor as a row of the documentation calls it: lines of six elements, what has one number per line, or
// one line.
Tensor tensor_called(const std::string& name, const std::string& kernel) {
  const bool per_line = name.starts_with("running_") || name == "correction" || name == "sums" ||
                        (name == "out" && kernel.starts_with("reduce_"));
  if (per_line) return empty_tensor(DataType::kFloat32, {4});
  if (name == "gain" || name == "bias") return empty_tensor(DataType::kFloat32, {6});
  return empty_tensor(DataType::kFloat32, {4, 6});
}

// Every row with a number of operations tells it, and how the kernel is called.
TEST(KernelRegistries, DoAsManyOperationsAsIsDocumented) {
  std::ifstream file(ACCELSCOPE_SOURCE_DIR "/docs/kernels.md");
  const std::regex row(R"(\| `(\w+)\(([^;)]*);?([^)]*)\)` \|.*\| (\d+) \|)");
  std::size_t rows = 0;
  for (std::string line; std::getline(file, line);) {
    std::smatch parts;
    if (!std::regex_match(line, parts, row)) continue;
    ++rows;
    const std::string kernel = parts[1];
    std::vector<Tensor> tensors;
    for (const std::string& name : words_in(parts[2])) tensors.push_back(tensor_called(name, kernel));
    std::vector<Given> given;
    for (Tensor& tensor : tensors) given.push_back({tensor, kBoth});
    std::vector<double> scalars;
    for (const std::string& name : words_in(parts[3]))
      if (!name.starts_with('[')) scalars.push_back(1);
    ASSERT_EQ(complaint(kernel, given, scalars), "") << line;
    EXPECT_EQ(work(kernel, given, scalars).vector_operations, 24 * std::stod(parts[4])) << line;
  }
  EXPECT_EQ(rows, 24U) << "all kernels of the vector engine but spin and empty";
}

TEST(KernelRegistries, RunTheExampleOfTheDocumentation) {
  KernelRegistry filled = KernelRegistry::with_builtins();
  const base::Status added = filled.add_library(MY_KERNELS);
  ASSERT_TRUE(added) << added.error().to_string();
  // What was found stays where it is when the registry moves.
  const accelscope_kernel* kernel = filled.find("axpby");
  const KernelRegistry registry = std::move(filled);
  ASSERT_EQ(registry.find("axpby"), kernel);
  EXPECT_EQ(registry.origin_of("axpby"), MY_KERNELS);

  Tensor a = random_tensor(DataType::kFloat32, {5, 3}, Layout::kShuffled, 1);
  Tensor b = random_tensor(DataType::kFloat32, {5, 3}, Layout::kGaps, 2);
  Tensor out = empty_tensor(DataType::kFloat32, {5, 3}, Layout::kGaps);
  const PreparedCall call = prepared({{a, kRead}, {b, kRead}, {out, kWritten}}, {2, -1});
  accelscope_kernel_work total = {};
  for (std::uint32_t block = 0; block < 4; ++block) {
    const accelscope_kernel_call part = call.block(block, 4);
    ASSERT_EQ(kernel->check(&part), nullptr);
    ASSERT_EQ(kernel->run(&part), 0);
    accelscope_kernel_work work = {};
    kernel->work(&part, &work);
    total.vector_operations += work.vector_operations;
  }
  EXPECT_EQ(total.vector_operations, 30);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out.at(i), 2 * a.at(i) - b.at(i));
}

TEST(KernelRegistries, HaveThePipesAndMarksOfTheExample) {
  KernelRegistry registry = KernelRegistry::with_builtins();
  ASSERT_TRUE(registry.add_library(MY_KERNELS));
  const accelscope_kernel* axpby = registry.find("axpby");
  ASSERT_NE(axpby, nullptr);
  Tensor tensor = random_tensor(DataType::kFloat32, {5, 3}, Layout::kDense, 1);
  Tensor out = empty_tensor(DataType::kFloat32, {5, 3});
  const PreparedCall prepared_call = prepared({{tensor, kRead}, {tensor, kRead}, {out, kWritten}}, {2, -1});
  accelscope_kernel_call call = prepared_call.block(0, 1);
  accelscope_kernel_work work = {};
  axpby->work(&call, &work);
  EXPECT_EQ(work.tiles, 5U);
  EXPECT_EQ(work.buffers, 2U);
  std::vector<std::uint32_t> marks;
  call.mark_context = &marks;
  call.mark = [](const accelscope_kernel_call* of, std::uint32_t pipe, std::uint32_t id) {
    EXPECT_EQ(pipe, static_cast<std::uint32_t>(ACCELSCOPE_PIPE_VEC));
    static_cast<std::vector<std::uint32_t>*>(of->mark_context)->push_back(id);
  };
  ASSERT_EQ(axpby->run(&call), 0);
  EXPECT_EQ(marks, (std::vector<std::uint32_t>{1, 2}));

  const accelscope_kernel* raise = registry.find("raise");
  ASSERT_NE(raise, nullptr);
  const PreparedCall flag = prepared({{out, kWritten}}, {});
  const accelscope_kernel_call raising = flag.block(0, 1);
  ASSERT_EQ(raise->check(&raising), nullptr);
  ASSERT_EQ(raise->run(&raising), 0);
  EXPECT_EQ(out.at(0), 1);
  work = {};
  raise->work(&raising, &work);
  const device::PipeSchedule schedule = pipes_of(work, raise->engine, {});
  EXPECT_EQ(schedule.length, 100);
  EXPECT_EQ(schedule.phases.size(), 2U);
  EXPECT_EQ(schedule.marks, (std::vector<device::PipeMark>{{device::Pipe::kMte3, 1, 70}}));
}

TEST(KernelRegistries, SayWhatIsWrongWithALibrary) {
  const tests::TemporaryFolder folder;
  const std::string no_library = folder.file("text.so");
  std::ofstream(no_library) << "no shared object\n";
  struct Case {
    std::string path;
    const char* message;
  };
  const std::vector<Case> cases = {
      {folder.file("absent.so"), "there is no such shared object"},
      {folder.path(), "is no file"},
      {no_library, "cannot be loaded"},
      {odd_library("NO_SYMBOL"), "exports no function accelscope_kernels()"},
      {odd_library("NO_TABLE"), "returns no table"},
      {odd_library("NO_KERNELS"), "announces 1 kernels and has none"},
      {odd_library("WRONG_ABI"), "built for version 3 of the kernel interface, this program has version 2"},
      {odd_library("NO_ABI"), "built for version 0 of the kernel interface"},
      {odd_library("NO_NAME"), "kernel 0 of the table has no name"},
      {odd_library("NO_FUNCTION"), "kernel `idle` has no function"},
      {odd_library("WRONG_ENGINE"), "kernel `idle` is for engine 7"},
      {odd_library("TWICE"), "has two kernels `idle`"},
      {odd_library("TAKEN"), "kernel `gemm` is there already (built in)"},
  };
  KernelRegistry registry = KernelRegistry::with_builtins();
  const std::size_t before = registry.names().size();
  for (const Case& one : cases) {
    const base::Status added = registry.add_library(one.path);
    ASSERT_FALSE(added) << one.path;
    const std::string text = added.error().to_string();
    EXPECT_NE(text.find(one.message), std::string::npos) << text;
    EXPECT_TRUE(text.starts_with(one.path)) << text;
    EXPECT_EQ(registry.names().size(), before) << "all of a library, or nothing";
  }
  ASSERT_TRUE(registry.add_library(odd_library("NOTHING")));
  const base::Status again = registry.add_library(odd_library("NOTHING"));
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("is there already"), std::string::npos);
}

TEST(KernelRegistries, TakeLibrariesThatWereBuiltForAnOlderInterface) {
  KernelRegistry registry = KernelRegistry::with_builtins();
  const base::Status added = registry.add_library(odd_library("OLD_ABI"));
  ASSERT_TRUE(added) << added.error().to_string();
  EXPECT_NE(registry.find("idle"), nullptr);
}

}  // namespace
}  // namespace accelscope::runtime
