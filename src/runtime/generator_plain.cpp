// Elementwise layers on the vector cores, chains and fans.
#include <fmt/core.h>

#include <algorithm>

#include "runtime/generator_families.h"

namespace accelscope::runtime {
namespace {

constexpr GeneratorParameter kVectorParameters[] = {
    {"rows", "of the tensor", 256, 1, 1'000'000},
    {"columns", "of the tensor", 256, 1, 65536},
    {"layers", "one after the other", 4, 1, 1'000'000},
    {"tiles", "parts of the rows with tasks of their own", 4, 1, 1'000'000},
    {"blocks", "of each task (SPMD)", 2, 1, 65535},
    {"sync_start", "1: all blocks of a task begin together", 0, 0, 1},
    kSeed,
    kExpect,
};

constexpr std::string_view kWork[] = {"scale", "spin", "empty"};
constexpr GeneratorParameter kWorkParameter = {
    "work", "what each task does: numbers, keeping a core busy, or nothing", 0, 0, 2, kWork};
constexpr GeneratorParameter kMicroseconds = {"microseconds", "for which a task spins", 20, 0, 1'000'000};

constexpr GeneratorParameter kChainParameters[] = {
    {"tasks", "each waits for the one before", 1000, 1, kMaxGeneratedTasks},
    {"elements", "that each task works on", 256, 1, 1U << 30U},
    kWorkParameter,
    kMicroseconds,
    {"early", "1: tasks are handed to a core before the one before is done", 0, 0, 1},
    kExpect,
};

constexpr GeneratorParameter kFanParameters[] = {
    {"width", "tasks beside each other", 100, 1, kMaxGeneratedTasks},
    {"depth", "fans, one after the other", 1, 1, 1'000'000},
    kWorkParameter,
    kMicroseconds,
    {"source", "1: the tasks of a fan wait for one before them", 1, 0, 1},
    {"join", "1: one task waits for all of a fan", 1, 0, 1},
    kExpect,
};

enum class Work : std::uint8_t { kScale, kSpin, kEmpty };

base::Result<Graph> generate_vector(const Parameters& parameters, std::string name) {
  const std::uint64_t rows = parameters["rows"], columns = parameters["columns"],
                      layers = parameters["layers"];
  const std::uint64_t tiles = std::min(parameters["tiles"], rows);
  ACCELSCOPE_CHECK(check_size(3.0 * static_cast<double>(layers) * static_cast<double>(tiles),
                              2.0 * static_cast<double>(rows) * static_cast<double>(columns)));
  GraphBuilder build(std::move(name));
  build.reserve_tasks(3 * layers * tiles, 3);
  const std::uint64_t seed = parameters["seed"];
  const std::uint32_t x = build.buffer("x", DataType::kFloat32, rows * columns, random_content(-1, 2, seed));
  const std::uint32_t gain =
      build.buffer("gain", DataType::kFloat32, columns, random_content(0.5, 1, seed + 1));
  const std::uint32_t bias =
      build.buffer("bias", DataType::kFloat32, columns, random_content(-0.5, 1, seed + 2));
  const auto finish = [&](TaskBuilder task) {
    task.blocks(parameters.small("blocks"));
    if (parameters.is_set("sync_start")) task.sync_start();
  };
  for (std::uint64_t layer = 0; layer < layers; ++layer) {
    build.begin_scope("layer");
    for (std::uint64_t tile = 0; tile < tiles; ++tile) {
      const std::uint64_t first = tile * rows / tiles, end = (tile + 1) * rows / tiles;
      const TensorView view = matrix(x, first * columns, end - first, columns, columns);
      const std::uint32_t scaled =
          build.buffer(fmt::format("scaled.{}.{}", layer, tile), DataType::kFloat32, (end - first) * columns);
      const TensorView between = matrix(scaled, 0, end - first, columns, columns);
      finish(build.vector("mul").in(view).in(row_of(gain, 0, columns)).make(between));
      finish(build.vector("add").in(between).in(row_of(bias, 0, columns)).out(view).early());
      finish(build.vector("relu").in(view).out(view));
    }
    build.end_scope();
  }
  const double values = static_cast<double>(rows) * static_cast<double>(columns);
  if (!parameters.is_set("expect") || values > kMaxExpectedValues ||
      values * static_cast<double>(layers) > kMaxExpectedWork)
    return build.finish();
  std::vector<double> numbers = numbers_of(build.graph().buffers[x]);
  const std::vector<double> gains = numbers_of(build.graph().buffers[gain]);
  const std::vector<double> biases = numbers_of(build.graph().buffers[bias]);
  for (std::uint64_t layer = 0; layer < layers; ++layer)
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = std::max(0.0, numbers[i] * gains[i % columns] + biases[i % columns]);
  build.expect(expected(x, std::move(numbers), 1e-4));
  return build.finish();
}

base::Result<Graph> generate_chain(const Parameters& parameters, std::string name) {
  const std::uint64_t tasks = parameters["tasks"], elements = parameters["elements"];
  const auto work = static_cast<Work>(parameters["work"]);
  GraphBuilder build(std::move(name));
  build.reserve_tasks(tasks, work == Work::kScale ? 2 : 0);
  // Whole numbers that f32 has exactly, however long the chain.
  constexpr std::uint64_t kPeriod = 1024;
  const std::uint32_t x = work == Work::kScale ? build.buffer("x", DataType::kFloat32, elements) : 0;
  const TensorView view = row_of(x, 0, elements);
  for (std::uint64_t i = 0; i < tasks; ++i) {
    TaskBuilder task = build.vector(kWork[static_cast<std::size_t>(work)]);
    if (work == Work::kScale) {
      const bool last = i % kPeriod == kPeriod - 1;
      task.in(view).out(view).scalar(last ? 0 : 1).scalar(1);
    } else if (i > 0) {
      task.after(static_cast<std::uint32_t>(i - 1));
    }
    if (work == Work::kSpin) task.scalar(static_cast<double>(parameters["microseconds"]));
    if (parameters.is_set("early")) task.early();
  }
  if (work == Work::kScale && parameters.is_set("expect") &&
      static_cast<double>(elements) <= kMaxExpectedValues) {
    // The last one of a period begins anew with 1.
    const std::uint64_t whole = tasks / kPeriod;
    const auto value = static_cast<double>(tasks % kPeriod + (whole > 0 ? 1 : 0));
    build.expect(expected(x, std::vector<double>(elements, value), 0));
  }
  return build.finish();
}

// One fan of tasks that do numbers: each adds its own to what the fan begins with, the join takes the
// largest.
void add_fan_of_numbers(GraphBuilder& build, const Parameters& parameters, std::uint32_t x, std::uint32_t y) {
  const std::uint64_t width = parameters["width"];
  if (parameters.is_set("source")) build.vector("scale").in(single(x)).out(single(x)).scalar(1).scalar(1);
  for (std::uint64_t i = 0; i < width; ++i)
    build.vector("scale").in(single(x)).out(single(y, i)).scalar(1).scalar(static_cast<double>(i % 7));
  if (parameters.is_set("join")) build.vector("reduce_max").in(row_of(y, 0, width)).out(single(x));
}

// The same without tensors: explicit dependencies, and a join that no core runs. The task to wait for next.
std::uint32_t add_fan_of_waits(GraphBuilder& build, const Parameters& parameters, std::uint32_t before) {
  const auto work = static_cast<Work>(parameters["work"]);
  const auto worker = [&](std::uint32_t other) {
    TaskBuilder task = build.vector(kWork[static_cast<std::size_t>(work)]);
    if (work == Work::kSpin) task.scalar(static_cast<double>(parameters["microseconds"]));
    if (other != kNoTask) task.after(other);
    return task.number();
  };
  if (parameters.is_set("source")) before = worker(before);
  const auto first = static_cast<std::uint32_t>(build.graph().tasks.size());
  const std::uint64_t width = parameters["width"];
  for (std::uint64_t i = 0; i < width; ++i) worker(before);
  if (!parameters.is_set("join")) return before;
  TaskBuilder join = build.dummy();
  for (std::uint64_t i = 0; i < width; ++i) join.after(first + static_cast<std::uint32_t>(i));
  return join.number();
}

base::Result<Graph> generate_fan(const Parameters& parameters, std::string name) {
  const std::uint64_t width = parameters["width"], depth = parameters["depth"];
  const auto work = static_cast<Work>(parameters["work"]);
  const std::uint64_t ends = (parameters.is_set("source") ? 1 : 0) + (parameters.is_set("join") ? 1 : 0);
  const double tasks = static_cast<double>(depth) * static_cast<double>(width + ends);
  ACCELSCOPE_CHECK(check_size(tasks, static_cast<double>(width)));
  GraphBuilder build(std::move(name));
  build.reserve_tasks(static_cast<std::size_t>(tasks), work == Work::kScale ? 2 : 0);
  if (work != Work::kScale) {
    std::uint32_t before = kNoTask;
    for (std::uint64_t i = 0; i < depth; ++i) before = add_fan_of_waits(build, parameters, before);
    return build.finish();
  }
  const std::uint32_t x = build.buffer("x", DataType::kFloat32, 1);
  const std::uint32_t y = build.buffer("y", DataType::kFloat32, width);
  for (std::uint64_t i = 0; i < depth; ++i) add_fan_of_numbers(build, parameters, x, y);
  const double source = parameters.is_set("source") ? 1 : 0;
  const double join =
      parameters.is_set("join") ? static_cast<double>(std::min<std::uint64_t>(width - 1, 6)) : 0;
  // Sums that f32 has exactly.
  constexpr double kMaxExact = 1e7;
  const double value = static_cast<double>(depth) * (source + join);
  if (parameters.is_set("expect") && value < kMaxExact) build.expect(expected(x, {value}, 0));
  return build.finish();
}

}  // namespace

Family vector_family() {
  return {{"vector", "elementwise layers on tiles of a tensor, each task in blocks", kVectorParameters},
          generate_vector};
}

Family chain_family() {
  return {{"chain", "tasks that wait for each other, one after the other", kChainParameters}, generate_chain};
}

Family fan_family() {
  return {{"fan", "one task, then many beside each other, then one", kFanParameters}, generate_fan};
}

}  // namespace accelscope::runtime
