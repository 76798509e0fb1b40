#include "analysis/chip/schedule_model.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using trace::ChipRun;
using trace::is_known;
using trace::kUnknownTime;
using trace::TaskId;
using trace::Trace;
using trace::TrackId;

// A part as it was recorded, before its costs are known.
struct Recorded {
  std::uint32_t node = 0;
  std::uint32_t core = 0;
  trace::Dispatch part = {};
  Ticks core_free = {};              // end of the part before it on the core
  Ticks thread_free = kUnknownTime;  // when its thread handed out the part before
};

class Modeller {
 public:
  Modeller(const Trace& trace, const ChipRun& chip, const TaskTimes& times)
      : trace_(trace), chip_(chip), times_(times) {
    model_.graph = task_graph(trace);
    model_.nodes = model_.graph.nodes();
  }

  ScheduleModel make() && {
    add_cores();
    add_recorded();
    find_ready();
    find_turns();
    add_blocks();
    add_order();
    return std::move(model_);
  }

 private:
  std::int64_t since_begin(Ticks time) const { return std::max(Ticks{}, time - times_.window.from).value; }

  void add_cores() {
    std::vector<TrackId> threads;
    for (const trace::ChipCore& core : chip_.cores) {
      ModelCore model{.engine = core.engine == trace::engine::kCube ? kCubeEngine : kVectorEngine};
      if (core.scheduler != TrackId::kNone) {
        const auto found = std::find(threads.begin(), threads.end(), core.scheduler);
        model.thread = static_cast<std::uint32_t>(found - threads.begin());
        if (found == threads.end()) threads.push_back(core.scheduler);
      }
      model_.cores.push_back(model);
    }
    model_.threads = static_cast<std::uint32_t>(threads.size());
  }

  void add_recorded() {
    for (std::uint32_t core = 0; core < chip_.cores.size(); ++core) {
      Ticks free = times_.window.from;
      for (const trace::Dispatch& part : trace::DispatchWalk(trace_, chip_.cores[core].track)) {
        const std::uint32_t node = part.task == TaskId::kNone ? model_.nodes++ : index(part.task);
        recorded_.push_back({.node = node, .core = core, .part = part, .core_free = free});
        free = std::max(free, part.end);
        model_.observed = std::max(model_.observed, part.end - times_.window.from);
      }
    }
  }

  // As TaskTimes has it, and nodes of a graph wait for what their graph waits for.
  void find_ready() {
    ready_.assign(model_.nodes, times_.window.from);
    model_.release.assign(model_.nodes, 0);
    model_.control_time.assign(model_.nodes, 0);
    const TaskGraph& graph = model_.graph;
    for (std::uint32_t task = 0; task < graph.tasks; ++task) {
      if (times_.has_submit() && is_known(times_.submit[task])) {
        model_.release[task] = since_begin(times_.submit[task]);
        ready_[task] = std::max(ready_[task], times_.submit[task]);
      }
    }
    for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
      const Ticks done = node < graph.tasks ? times_.done[node] : ready_[node];
      for (const std::uint32_t successor : graph.successors_of(node))
        ready_[successor] = std::max(ready_[successor], done);
    }
    for (std::uint32_t task = 0; task < graph.tasks; ++task)
      if (times_.parts[task] == 0 && is_known(times_.done[task]))
        model_.control_time[task] = std::max(Ticks{}, times_.done[task] - ready_[task]).value;
  }

  void find_turns() {
    std::vector<std::uint32_t> by_dispatch;
    for (std::uint32_t i = 0; i < recorded_.size(); ++i)
      if (is_known(recorded_[i].part.dispatch)) by_dispatch.push_back(i);
    std::sort(by_dispatch.begin(), by_dispatch.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(recorded_[a].part.dispatch, a) < std::tie(recorded_[b].part.dispatch, b);
    });
    std::vector<Ticks> last(model_.threads, kUnknownTime);
    for (const std::uint32_t i : by_dispatch) {
      const std::uint32_t thread = model_.cores[recorded_[i].core].thread;
      if (thread != kNoThread)
        recorded_[i].thread_free = std::exchange(last[thread], recorded_[i].part.dispatch);
    }
  }

  // Brings the parts of each node together, in the order in which they were handed out.
  void add_blocks() {
    std::vector<std::uint32_t> by_node(recorded_.size());
    std::iota(by_node.begin(), by_node.end(), 0U);
    const auto key = [&](std::uint32_t i) {
      const Recorded& r = recorded_[i];
      return std::tuple(r.node, model_.cores[r.core].engine,
                        is_known(r.part.dispatch) ? r.part.dispatch : r.part.start, i);
    };
    std::sort(by_node.begin(), by_node.end(),
              [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    model_.first_block.assign(model_.nodes + std::size_t{1}, 0);
    std::size_t at = 0;
    for (std::uint32_t node = 0; node < model_.nodes; ++node) {
      std::size_t end = at;
      while (end < by_node.size() && recorded_[by_node[end]].node == node) ++end;
      model_.first_block[node] = static_cast<std::uint32_t>(model_.blocks.size());
      add_blocks_of(node, std::span(by_node).subspan(at, end - at));
      at = end;
    }
    model_.first_block[model_.nodes] = static_cast<std::uint32_t>(model_.blocks.size());
  }

  // Parts come cubes first. A MIX task whose parts do not make equal blocks, or blocks larger than the chip,
  // is taken apart.
  void add_blocks_of(std::uint32_t node, std::span<const std::uint32_t> parts) {
    std::array<std::size_t, kEngines> count = {};
    for (const std::uint32_t i : parts) ++count[model_.cores[recorded_[i].core].engine];
    const bool is_mix =
        node < model_.graph.tasks && trace_.text(trace_.tasks().kind[node]) == trace::task_kind::kMix;
    const std::size_t blocks = is_mix ? std::max(trace_.tasks().blocks[node], 1U) : parts.size();
    bool together = is_mix && !parts.empty();
    for (std::size_t engine = 0; engine < kEngines; ++engine)
      together = together && count[engine] % blocks == 0 && count[engine] / blocks <= cores_of(engine);
    if (!together) {
      for (const std::uint32_t i : parts) add_block(std::span(&i, 1), {});
      return;
    }
    const std::size_t cubes = count[kCubeEngine] / blocks;
    const std::size_t vectors = count[kVectorEngine] / blocks;
    for (std::size_t block = 0; block < blocks; ++block)
      add_block(parts.subspan(block * cubes, cubes),
                parts.subspan(count[kCubeEngine] + block * vectors, vectors));
  }

  std::size_t cores_of(std::size_t engine) const {
    return static_cast<std::size_t>(
        std::count_if(model_.cores.begin(), model_.cores.end(),
                      [&](const ModelCore& core) { return core.engine == engine; }));
  }

  void add_block(std::span<const std::uint32_t> cubes, std::span<const std::uint32_t> vectors) {
    ModelBlock block{.first_part = static_cast<std::uint32_t>(model_.parts.size())};
    Ticks possible = times_.window.from;
    for (const auto& some : {cubes, vectors})
      for (const std::uint32_t i : some)
        possible = std::max({possible, ready_[recorded_[i].node], recorded_[i].core_free});
    for (const auto& some : {cubes, vectors}) {
      for (const std::uint32_t i : some) {
        model_.parts.push_back(model_part(recorded_[i], possible));
        ++block.needs[model_.cores[recorded_[i].core].engine];
        ++block.parts;
      }
    }
    block.queue = block.needs[kCubeEngine] == 0     ? kVectorEngine
                  : block.needs[kVectorEngine] == 0 ? kCubeEngine
                                                    : kMixQueue;
    if (block.parts > 0) model_.blocks.push_back(block);
  }

  static ModelPart model_part(const Recorded& r, Ticks possible) {
    ModelPart part{.node = r.node,
                   .core = r.core,
                   .function = r.part.function,
                   .length = (r.part.end - r.part.start).value,
                   .was_handed_out = is_known(r.part.dispatch)};
    Ticks handed_out = possible;
    if (part.was_handed_out) {
      handed_out = std::max(r.part.dispatch, possible);
      part.hand_out = (handed_out - std::min(handed_out, std::max(possible, r.thread_free))).value;
    }
    part.pick_up = std::max(Ticks{}, r.part.start - handed_out).value;
    return part;
  }

  void add_order() {
    std::vector<std::uint32_t> nodes(model_.nodes);
    std::iota(nodes.begin(), nodes.end(), 0U);
    std::sort(nodes.begin(), nodes.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(model_.release[a], a) < std::tie(model_.release[b], b);
    });
    model_.order.resize(model_.nodes);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) model_.order[nodes[i]] = i;
  }

  const Trace& trace_;
  const ChipRun& chip_;
  const TaskTimes& times_;
  std::vector<Recorded> recorded_;
  std::vector<Ticks> ready_;
  ScheduleModel model_;
};

}  // namespace

ScheduleModel schedule_model(const Trace& trace, const ChipRun& chip, const TaskTimes& times) {
  return Modeller(trace, chip, times).make();
}

}  // namespace accelscope::analysis::chip
