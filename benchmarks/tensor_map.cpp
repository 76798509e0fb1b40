// What finding the dependencies of a task costs: every argument looked up and entered, as the orchestrator
// does it for each task it submits.
//
// Floor in the same run: the views of all arguments made into regions, which is reading them once and
// simplifying their strides. Times are those of the processor: one thread does all of it.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <limits>
#include <vector>

#include "runtime/tensor_map.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program
using runtime::Access;
using runtime::Argument;
using runtime::TensorMap;
using runtime::TensorView;

constexpr int kRepetitions = 5;
// Tasks that are not done yet, as many as a ring has room for; older ones are forgotten.
constexpr std::uint64_t kWindow = 16384;
constexpr std::uint64_t kForgetEvery = 4096;

std::uint64_t sum_of_results = 0;  // printed, so that nothing is optimised away

struct Program {
  std::string_view name;
  std::size_t arguments_per_task = 0;
  std::vector<Argument> arguments;
};

TensorView tile(std::uint32_t buffer, std::uint32_t columns, std::uint32_t row, std::uint32_t column,
                std::uint32_t size) {
  return {.buffer = buffer,
          .dimensions = 2,
          .start = (std::uint64_t{row} * columns + column) * size,
          .shape = {size, size},
          .strides = {columns, 1}};
}

// out[i] = a[i] + b[i], a million pieces of three buffers.
Program pieces() {
  Program program{"a million pieces of three buffers, a + b", 3, {}};
  constexpr std::uint32_t kPiece = 1024;
  for (std::uint32_t i = 0; i < 1'000'000; ++i)
    for (std::uint32_t buffer = 0; buffer < 3; ++buffer)
      program.arguments.push_back(
          {runtime::contiguous_view(buffer, std::array{kPiece}, std::uint64_t{i} * kPiece),
           buffer == 2 ? Access::kOutput : Access::kInput});
  return program;
}

// c[i][j] += a[i][k] * b[k][j] in tiles of matrices of 64 x 64 tiles.
Program products() {
  Program program{"products of matrices of 64 x 64 tiles, c += a * b", 3, {}};
  constexpr std::uint32_t kTiles = 64;
  constexpr std::uint32_t kSize = 64;
  constexpr std::uint32_t kColumns = kTiles * kSize;
  for (std::uint32_t i = 0; i < kTiles; ++i)
    for (std::uint32_t j = 0; j < kTiles; ++j)
      for (std::uint32_t k = 0; k < kTiles; ++k) {
        program.arguments.push_back({tile(0, kColumns, i, k, kSize), Access::kInput});
        program.arguments.push_back({tile(1, kColumns, k, j, kSize), Access::kInput});
        program.arguments.push_back({tile(2, kColumns, i, j, kSize), Access::kInOut});
      }
  return program;
}

// A chain: each task updates one small buffer in place.
Program chain() {
  Program program{"a chain of a million updates in place", 1, {}};
  for (std::uint32_t i = 0; i < 1'000'000; ++i)
    program.arguments.push_back({runtime::contiguous_view(0, std::array{64U}), Access::kInOut});
  return program;
}

struct Counted {
  std::uint64_t found = 0;
  std::size_t most_live = 0;
};

Counted orchestrate(const Program& program) {
  TensorMap map;
  Counted counted;
  const std::size_t tasks = program.arguments.size() / program.arguments_per_task;
  for (std::uint64_t task = 0; task < tasks; ++task) {
    if (task % kForgetEvery == 0 && task > kWindow)
      map.forget([&](std::uint64_t id) { return id < task - kWindow; });
    const Argument* arguments = &program.arguments[task * program.arguments_per_task];
    for (std::size_t i = 0; i < program.arguments_per_task; ++i)
      map.find(arguments[i].view, arguments[i].access, [&](std::uint64_t) { ++counted.found; });
    for (std::size_t i = 0; i < program.arguments_per_task; ++i)
      if (!map.insert(arguments[i].view, arguments[i].access, task)) fmt::print("the map is full\n");
    counted.most_live = std::max(counted.most_live, map.live());
  }
  return counted;
}

std::uint64_t look_at_all(const Program& program) {
  std::uint64_t sum = 0;
  for (const Argument& argument : program.arguments) sum += runtime::region_of(argument.view).end;
  return sum;
}

// The best of a few repetitions, in nanoseconds for each argument.
template <class Work>
double best_of(const Program& program, Work work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRepetitions; ++i) {
    const std::clock_t start = std::clock();
    sum_of_results += work();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return 1e9 * best / static_cast<double>(program.arguments.size());
}

void measure(const Program& program) {
  Counted counted;
  const double time = best_of(program, [&] {
    counted = orchestrate(program);
    return counted.found;
  });
  const double floor = best_of(program, [&] { return look_at_all(program); });
  fmt::print(
      "{:<52} {:7.1f} ns per find and insert (floor {:5.1f} ns, {:5.1f} times); {:.1f} found each, {} live "
      "at most\n",
      program.name, time, floor, time / floor,
      static_cast<double>(counted.found) / static_cast<double>(program.arguments.size()), counted.most_live);
}

}  // namespace

int main() {
  measure(pieces());
  measure(products());
  measure(chain());
  fmt::print("(checksum {})\n", sum_of_results);
}
