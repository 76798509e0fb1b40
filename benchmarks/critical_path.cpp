// The critical path over ten million tasks and fifteen million edges in memory, and the questions that a
// report asks about a run of ten thousand tasks.
//
// Floor in the same run: one pass over the edges that adds the weight of every far end, which any algorithm
// has to touch. Times are those of the processor: one thread does all of it.
#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <numeric>
#include <vector>

#include "analysis/chip/bottleneck.h"
#include "analysis/chip/critical_path.h"
#include "analysis/chip/what_if.h"
#include "stats/random.h"
#include "trace/trace_builder.h"
#include "trace/vocabulary.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program
using analysis::chip::LongestPath;
using analysis::chip::Slack;
using trace::Ticks;

constexpr std::uint32_t kNodes = 10'000'000;
constexpr std::uint32_t kEdges = 15'000'000;
constexpr int kRepetitions = 3;

std::int64_t sum_of_results = 0;  // printed, so that nothing is optimised away

// The best of a few repetitions, in milliseconds.
template <class Work>
double best_of(Work work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRepetitions; ++i) {
    const std::clock_t start = std::clock();
    sum_of_results += work();
    best = std::min(best, 1000 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

void report(std::string_view what, double milliseconds, double floor) {
  fmt::print("{:<70} {:9.2f} ms  {:6.1f} times the floor\n", what, milliseconds, milliseconds / floor);
}

struct Graph {
  std::vector<std::int64_t> weight;
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> successors;
};

// Consumers come a few hundred tasks after their producers, as in a loop over blocks. `scattered`: every
// hundredth edge leads backwards in number, or the numbers mean nothing at all.
enum class Numbers { kInOrder, kNearlyInOrder, kScattered };

Graph make_graph(Numbers numbers) {
  stats::Generator random(1);
  std::vector<std::uint32_t> place(kNodes);
  std::iota(place.begin(), place.end(), 0U);
  if (numbers == Numbers::kScattered)
    for (std::uint32_t i = kNodes; i-- > 1;) std::swap(place[i], place[random.next() % (i + 1)]);
  if (numbers == Numbers::kNearlyInOrder)
    for (std::uint32_t i = 0; i + 1000 < kNodes; i += 100)
      std::swap(place[i], place[i + random.next() % 1000]);
  std::vector<std::uint32_t> from(kEdges), to(kEdges);
  Graph graph;
  graph.first.assign(kNodes + 1, 0);
  for (std::uint32_t i = 0; i < kEdges; ++i) {
    const auto source = static_cast<std::uint32_t>(std::uint64_t{i} * (kNodes - 1) / kEdges);
    const auto distance = static_cast<std::uint32_t>(1 + random.next() % 300);
    from[i] = place[source];
    to[i] = place[std::min(source + distance, kNodes - 1)];
    ++graph.first[from[i] + 1];
  }
  std::partial_sum(graph.first.begin(), graph.first.end(), graph.first.begin());
  graph.successors.resize(kEdges);
  std::vector<std::uint32_t> next(graph.first.begin(), graph.first.end() - 1);
  for (std::uint32_t i = 0; i < kEdges; ++i) graph.successors[next[from[i]]++] = to[i];
  for (std::uint32_t i = 0; i < kNodes; ++i)
    graph.weight.push_back(static_cast<std::int64_t>(100 + random.next() % 1000));
  return graph;
}

void ten_million(std::string_view what, Numbers numbers) {
  const Graph graph = make_graph(numbers);
  const double floor = best_of([&] {
    std::int64_t sum = 0;
    for (const std::uint32_t successor : graph.successors) sum += graph.weight[successor];
    return sum;
  });
  report(fmt::format("floor: weights at the far ends of 15 M edges, {}", what), floor, floor);
  const auto path = [&](Slack slack) {
    return best_of([&] {
      return analysis::chip::longest_path({graph.weight, graph.first, graph.successors}, slack).length;
    });
  };
  report(fmt::format("longest path, 10 M tasks, 15 M edges, {}", what), path(Slack::kNo), floor);
  report(fmt::format("the same with the slack of every task, {}", what), path(Slack::kYes), floor);
}

// A loop over blocks on 24 + 48 cores, as a scheduler that takes some time for everything would run it.
trace::Trace make_run(std::uint32_t tasks, bool has_edges) {
  constexpr std::uint32_t kCores = 72;
  trace::TraceBuilder builder;
  const trace::ClockId clock = builder.add_clock({builder.intern("device"), base::Frequency::nanoseconds()});
  const auto track = [&](std::string_view engine, std::uint32_t number, trace::TrackLevel level) {
    const trace::StringId name = builder.intern(fmt::format("{} {}", engine, number));
    return builder.add_track({.name = name,
                              .level = level,
                              .clock = clock,
                              .resource = builder.add_resource({name, builder.intern(engine)}),
                              .external_id = number});
  };
  std::vector<trace::TrackId> cores;
  for (std::uint32_t i = 0; i < kCores; ++i)
    cores.push_back(
        track(i % 3 == 0 ? trace::engine::kCube : trace::engine::kVector, i, trace::TrackLevel::kCore));
  const trace::TrackId orchestrator = track(trace::engine::kOrchestrator, 0, trace::TrackLevel::kThread);
  const trace::StringId dispatch = builder.intern(trace::stage::kDispatch);
  const trace::StringId finish = builder.intern(trace::stage::kFinish);
  std::vector<std::int64_t> free(kCores, 0), end(tasks, 0);
  stats::Generator random(1);
  for (std::uint32_t i = 0; i < tasks; ++i) {
    const std::uint32_t core = i % kCores;
    const trace::TaskId task = builder.add_task({.external_id = i,
                                                 .name = builder.intern(fmt::format("KERNEL_{}", i % 5)),
                                                 .kind = builder.intern(core % 3 == 0 ? "AIC" : "AIV")});
    const std::int64_t asked = 100 * std::int64_t{i};
    std::int64_t start = std::max(free[core], asked + 100) + 700;
    for (const std::uint32_t back : {36U, 71U})
      if (has_edges && i >= back && (back == 36 || i % 2 == 0)) {
        builder.add_task_edge(trace::TaskId{i - back}, task, builder.intern(trace::edge::kTensorMap));
        start = std::max(start, end[i - back] + 900);
      }
    end[i] = start + static_cast<std::int64_t>(4000 + random.next() % 4000);
    free[core] = end[i];
    if (has_edges)
      builder.add_slice({.track = orchestrator,
                         .start = Ticks{asked},
                         .duration = Ticks{100},
                         .category = builder.category(trace::category::kSubmit),
                         .task = task});
    const trace::SliceId slice =
        builder.add_slice({.track = cores[core],
                           .start = Ticks{start},
                           .duration = Ticks{end[i] - start},
                           .name = builder.tasks().name[i],
                           .category = builder.category(trace::category::kTaskExecution),
                           .task = task});
    builder.add_stage(slice, dispatch, Ticks{-300});
    builder.add_stage(slice, finish, Ticks{end[i] - start + 400});
  }
  return std::move(*std::move(builder).finish());
}

void questions_about(std::uint32_t tasks, bool has_edges) {
  using namespace analysis::chip;  // NOLINT(google-build-using-namespace): one short function
  const trace::Trace trace = make_run(tasks, has_edges);
  const trace::ChipRun chip = trace::chip_run(trace);
  const double floor = best_of([&] {
    Ticks sum = {};
    for (const trace::ChipCore& core : chip.cores)
      for (const trace::Dispatch& part : trace::DispatchWalk(trace, core.track)) sum += part.end;
    return sum.value;
  });
  const std::string run = fmt::format("{} tasks{}", tasks, has_edges ? "" : ", no dependencies");
  report(fmt::format("floor: reading the dispatches of {}", run), floor, floor);
  const TaskTimes times = task_times(trace, chip);
  report(fmt::format("static path, {}", run), best_of([&] { return static_path(trace, chip).length.value; }),
         floor);
  report(fmt::format("observed path, {}", run),
         best_of([&] { return observed_path(trace, chip, times).compute.value; }), floor);
  const ObservedPath path = observed_path(trace, chip, times);
  report(fmt::format("bottleneck, {}", run),
         best_of([&] { return bottleneck(trace, chip, times, path).ticks[0].value; }), floor);
  const WhatIf result = what_if(trace, chip, times);
  if (result.state != WhatIfState::kAnswered) return;
  report(fmt::format("what if: {} questions, {}", result.answers.size() + 1, run),
         best_of([&] { return what_if(trace, chip, times).simulated.value; }), floor);
  fmt::print("  the simulation with nothing changed is {:+.2f} % off\n", 100 * result.calibration());
}

}  // namespace

int main() {
  ten_million("in order", Numbers::kInOrder);
  ten_million("nearly in order", Numbers::kNearlyInOrder);
  ten_million("scattered", Numbers::kScattered);
  questions_about(10'000, true);
  questions_about(200'000, true);
  questions_about(10'000'000, false);
  fmt::print("(sum of all results {})\n", sum_of_results);
}
