// A little chip to experiment with: a task graph, cores, an orchestrator and scheduler threads that do one
// thing after the other. It gives the trace that such a chip would record, and because the same graph can be
// run again with another cost, the truth about every "what if" is known.
//
// It works the way the chip does, not the way the analyses model it: a scheduler thread is a loop that first
// looks for ended parts of its own cores, then hands out ready ones. Plain data and one function; the answer
// owns its trace. Ticks are nanoseconds.
//
//   SimulatedWork work = {{.name = "A", .length = 100}, {.name = "B", .length = 50, .producers = {0}}};
//   const SimulatedRun run = simulate_chip(work, {.vectors = 2, .dispatch_cost = 10});
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "support/chip_sketch.h"

namespace accelscope::tests {

struct SimulatedTask {
  std::string name = "A";
  bool on_cube = false;
  std::int64_t length = 0;                  // of each part
  std::vector<std::size_t> producers = {};  // earlier tasks
  std::uint32_t parts = 1;
};
using SimulatedWork = std::vector<SimulatedTask>;

struct SimulatedChip {
  int cubes = 0;
  int vectors = 1;
  int threads = 1;
  std::int64_t submit_cost = 1;    // per task; the orchestrator submits one after the other
  std::int64_t dispatch_cost = 1;  // per part, of the scheduler thread
  std::int64_t complete_cost = 1;  // per part
  std::int64_t pick_up = 1;        // from the dispatch to the start
  bool record_queues = false;
  bool record_submits = true;
  bool record_edges = true;
};

struct SimulatedRun {
  trace::Trace trace;
  std::int64_t makespan = 0;  // from the first submission to the last end
};

class ChipSimulation {
 public:
  ChipSimulation(const SimulatedWork& work, const SimulatedChip& chip)
      : work_(work), chip_(chip), sketch_(chip.cubes, chip.vectors, chip.threads) {
    for (std::size_t i = 0; i < work.size(); ++i) {
      const SimulatedTask& task = work[i];
      tasks_.push_back({.id = sketch_.task(i, task.name, task.on_cube ? "AIC" : "AIV", task.parts),
                        .waiting = task.producers.size() + 1,
                        .parts_left = task.parts});
      for (const std::size_t producer : task.producers) tasks_[producer].consumers.push_back(i);
      if (!chip.record_edges) continue;
      for (const std::size_t producer : task.producers) sketch_.edge(tasks_[producer].id, tasks_[i].id);
    }
    cores_.resize(static_cast<std::size_t>(chip.cubes + chip.vectors));
    threads_.resize(static_cast<std::size_t>(chip.threads), 0);
  }

  SimulatedRun run() && {
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const auto from = static_cast<std::int64_t>(i) * chip_.submit_cost;
      if (chip_.record_submits) sketch_.submit(tasks_[i].id, from, from + chip_.submit_cost);
    }
    for (;;) {
      // The thread that can do something first; of equals, the first.
      std::size_t thread = 0;
      std::int64_t when = kNever;
      for (std::size_t t = 0; t < threads_.size(); ++t)
        if (const std::int64_t moment = next_work_of(t); moment < when) {
          when = moment;
          thread = t;
        }
      if (when == kNever) break;
      submit_until(when);
      step(thread, when);
    }
    return {.trace = sketch_.finish(), .makespan = makespan_};
  }

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  struct Task {
    trace::TaskId id = trace::TaskId::kNone;
    std::size_t waiting = 0;  // producers, and its own submission
    std::uint32_t parts_left = 0;
    std::vector<std::size_t> consumers = {};
  };
  struct Core {
    std::optional<std::size_t> task = std::nullopt;
    SketchedTimes times = {};
  };

  bool is_cube(std::size_t core) const { return core < static_cast<std::size_t>(chip_.cubes); }
  std::deque<std::size_t>& queue(bool cube) { return cube ? ready_cube_ : ready_vector_; }

  // A thread can go on when it is free and a core of its has ended, or work is ready for an idle one.
  std::int64_t next_work_of(std::size_t thread) {
    std::int64_t first = kNever;
    for (std::size_t core = thread; core < cores_.size(); core += threads_.size()) {
      if (cores_[core].task) {
        first = std::min(first, cores_[core].times.end);
      } else if (!queue(is_cube(core)).empty()) {
        first = std::min(first, ready_since_);
      } else if (next_submit_ < tasks_.size()) {
        first = std::min(first, submitted_at(next_submit_));
      }
    }
    return first == kNever ? kNever : std::max(first, threads_[thread]);
  }

  std::int64_t submitted_at(std::size_t task) const {
    return (static_cast<std::int64_t>(task) + 1) * chip_.submit_cost;
  }

  void submit_until(std::int64_t now) {
    for (; next_submit_ < tasks_.size() && submitted_at(next_submit_) <= now; ++next_submit_)
      satisfy(next_submit_, now);
  }

  void satisfy(std::size_t task, std::int64_t now) {
    if (--tasks_[task].waiting > 0) return;
    for (std::uint32_t part = 0; part < work_[task].parts; ++part) queue(work_[task].on_cube).push_back(task);
    ready_since_ = now;
    sample(now);
  }

  void sample(std::int64_t now) {
    if (!chip_.record_queues) return;
    sketch_.queue_depth(now, {static_cast<std::int64_t>(ready_cube_.size()),
                              static_cast<std::int64_t>(ready_vector_.size()), 0});
  }

  void step(std::size_t thread, std::int64_t now) {
    for (std::size_t core = thread; core < cores_.size(); core += threads_.size())
      if (cores_[core].task && cores_[core].times.end <= now) return complete(thread, core, now);
    for (std::size_t core = thread; core < cores_.size(); core += threads_.size())
      if (!cores_[core].task && !queue(is_cube(core)).empty()) return dispatch(thread, core, now);
  }

  void complete(std::size_t thread, std::size_t core, std::int64_t now) {
    Core& ended = cores_[core];
    ended.times.finish = now;
    threads_[thread] = now + chip_.complete_cost;
    const std::size_t task = *ended.task;
    sketch_.run(static_cast<int>(core), tasks_[task].id, ended.times);
    makespan_ = std::max(makespan_, ended.times.end);
    ended.task.reset();
    if (--tasks_[task].parts_left > 0) return;
    for (const std::size_t consumer : tasks_[task].consumers) satisfy(consumer, threads_[thread]);
  }

  void dispatch(std::size_t thread, std::size_t core, std::int64_t now) {
    std::deque<std::size_t>& waiting = queue(is_cube(core));
    const std::size_t task = waiting.front();
    threads_[thread] = now + chip_.dispatch_cost;
    const std::int64_t start = threads_[thread] + chip_.pick_up;
    cores_[core] = {
        task,
        {.dispatch = threads_[thread], .receive = start, .start = start, .end = start + work_[task].length}};
    waiting.pop_front();
    sample(threads_[thread]);
  }

  const SimulatedWork& work_;
  const SimulatedChip& chip_;
  ChipSketch sketch_;
  std::vector<Task> tasks_;
  std::vector<Core> cores_;
  std::vector<std::int64_t> threads_;  // busy until
  std::deque<std::size_t> ready_cube_;
  std::deque<std::size_t> ready_vector_;
  std::int64_t ready_since_ = 0;
  std::size_t next_submit_ = 0;
  std::int64_t makespan_ = 0;
};

inline SimulatedRun simulate_chip(const SimulatedWork& work, const SimulatedChip& chip) {
  return ChipSimulation(work, chip).run();
}

}  // namespace accelscope::tests
