#include <algorithm>
#include <cmath>
#include <queue>

#include "analysis/chip/schedule_model.h"

namespace accelscope::analysis::chip {
namespace {

// Something that happens at a moment: a node gets ready (key below the number of nodes), a node without parts
// is done, or a part ends.
struct Event {
  std::int64_t time = 0;
  std::uint64_t key = 0;

  bool operator>(const Event& other) const {
    return time != other.time ? time > other.time : key > other.key;
  }
};

// First in, first out; those that come together in the order of the model.
struct WaitingBlock {
  std::int64_t since = 0;
  std::uint32_t order = 0;
  std::uint32_t block = 0;
};

class Simulation {
 public:
  Simulation(const ScheduleModel& model, const Change& change)
      : model_(model),
        change_(change),
        cores_(model.cores),
        thread_free_(model.threads, 0),
        waiting_for_(model.nodes, 0),
        parts_left_(model.nodes, 0) {
    if (change.extra_core < kEngines)
      cores_.push_back({.engine = change.extra_core, .thread = least_loaded_thread(change.extra_core)});
    idle_.assign(cores_.size(), true);
    for (const ModelCore& core : cores_) ++idle_cores_[core.engine];
    for (const std::uint32_t successor : model.graph.successors) ++waiting_for_[successor];
    for (const ModelPart& part : model.parts) ++parts_left_[part.node];
  }

  Simulated run() && {
    for (std::uint32_t node = 0; node < model_.nodes; ++node)
      if (waiting_for_[node] == 0) events_.push({release_of(node), node});
    while (!events_.empty()) {
      now_ = events_.top().time;
      while (!events_.empty() && events_.top().time == now_) {
        const Event event = events_.top();
        events_.pop();
        happen(event.key);
      }
      queue_up();
      hand_out();
    }
    return {.makespan = Ticks{last_end_}, .never_ready = model_.nodes - done_};
  }

 private:
  std::int64_t release_of(std::uint32_t node) const {
    return change_.no_submission_cost ? 0 : model_.release[node];
  }

  std::uint32_t least_loaded_thread(std::size_t engine) const {
    if (model_.threads == 0) return kNoThread;
    std::vector<std::uint32_t> cores(model_.threads, 0);
    for (const ModelCore& core : model_.cores)
      if (core.thread != kNoThread && core.engine == engine) ++cores[core.thread];
    return static_cast<std::uint32_t>(std::min_element(cores.begin(), cores.end()) - cores.begin());
  }

  void happen(std::uint64_t key) {
    const std::uint64_t nodes = model_.nodes;
    if (key < nodes) {
      get_ready(static_cast<std::uint32_t>(key));
    } else if (key < 2 * nodes) {
      finish(static_cast<std::uint32_t>(key - nodes));
    } else {
      const auto part = static_cast<std::uint32_t>(key - 2 * nodes);
      const std::uint32_t core = core_of_part_[part];
      idle_[core] = true;
      ++idle_cores_[cores_[core].engine];
      last_end_ = std::max(last_end_, now_);
      const std::uint32_t node = model_.parts[part].node;
      if (--parts_left_[node] == 0) finish(node);
    }
  }

  void get_ready(std::uint32_t node) {
    if (model_.first_block[node] != model_.first_block[node + 1]) {
      ready_.push_back(node);
      return;
    }
    const std::int64_t delay = change_.no_scheduler_cost ? 0 : model_.control_time[node];
    events_.push({now_ + delay, std::uint64_t{model_.nodes} + node});
  }

  void finish(std::uint32_t node) {
    ++done_;
    if (node >= model_.graph.nodes()) return;
    for (const std::uint32_t successor : model_.graph.successors_of(node))
      if (--waiting_for_[successor] == 0) events_.push({std::max(now_, release_of(successor)), successor});
  }

  void queue_up() {
    std::sort(ready_.begin(), ready_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return model_.order[a] < model_.order[b]; });
    for (const std::uint32_t node : ready_)
      for (std::uint32_t block = model_.first_block[node]; block < model_.first_block[node + 1]; ++block)
        queues_[model_.blocks[block].queue].push({now_, model_.order[node], block});
    ready_.clear();
  }

  // Of the queues whose first block finds cores, the one that has waited longest.
  void hand_out() {
    for (;;) {
      std::queue<WaitingBlock>* best = nullptr;
      for (std::queue<WaitingBlock>& queue : queues_) {
        if (queue.empty() || !fits(model_.blocks[queue.front().block])) continue;
        if (best == nullptr || std::pair(queue.front().since, queue.front().order) <
                                   std::pair(best->front().since, best->front().order))
          best = &queue;
      }
      if (best == nullptr) return;
      const ModelBlock& block = model_.blocks[best->front().block];
      best->pop();
      for (std::uint32_t part = block.first_part; part < block.first_part + block.parts; ++part) start(part);
    }
  }

  bool fits(const ModelBlock& block) const {
    return block.needs[kCubeEngine] <= idle_cores_[kCubeEngine] &&
           block.needs[kVectorEngine] <= idle_cores_[kVectorEngine];
  }

  void start(std::uint32_t number) {
    const ModelPart& part = model_.parts[number];
    const std::uint32_t core = pick_core(part.core);
    idle_[core] = false;
    --idle_cores_[cores_[core].engine];
    if (core_of_part_.empty()) core_of_part_.assign(model_.parts.size(), 0);
    core_of_part_[number] = core;
    std::int64_t time = now_;
    if (!change_.no_scheduler_cost) {
      const std::uint32_t thread = part.was_handed_out ? cores_[core].thread : kNoThread;
      if (thread != kNoThread) time = std::max(time, thread_free_[thread]);
      time += part.hand_out;
      if (thread != kNoThread) thread_free_[thread] = time;
      time += part.pick_up;
    }
    events_.push({time + length_of(part), 2 * std::uint64_t{model_.nodes} + number});
  }

  // The core that it ran on if that is idle, so that a simulation with nothing changed stays close to the
  // recording; else the first.
  std::uint32_t pick_core(std::uint32_t recorded) const {
    if (idle_[recorded]) return recorded;
    std::uint32_t core = 0;
    while (!idle_[core] || cores_[core].engine != cores_[recorded].engine) ++core;
    return core;
  }

  std::int64_t length_of(const ModelPart& part) const {
    if (change_.speedup == 1 || part.function != change_.faster) return part.length;
    return std::llround(static_cast<double>(part.length) / change_.speedup);
  }

  const ScheduleModel& model_;
  const Change& change_;
  std::vector<ModelCore> cores_;
  std::vector<std::int64_t> thread_free_;
  std::vector<std::uint32_t> waiting_for_;
  std::vector<std::uint32_t> parts_left_;
  std::vector<char> idle_;
  std::array<std::uint32_t, kEngines> idle_cores_ = {};
  std::vector<std::uint32_t> core_of_part_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<std::uint32_t> ready_;
  std::array<std::queue<WaitingBlock>, kQueues> queues_;
  std::int64_t now_ = 0;
  std::int64_t last_end_ = 0;
  std::uint32_t done_ = 0;
};

}  // namespace

Simulated simulate(const ScheduleModel& model, const Change& change) {
  return Simulation(model, change).run();
}

}  // namespace accelscope::analysis::chip
