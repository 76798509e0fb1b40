// A recorded run as a list scheduler needs it: nodes with releases and successors, and the parts that cores
// carry out, with the costs that were recorded around them.
//
// What each cost is: from the moment at which a part could have been handed out (its task was ready, its core
// was free, its scheduler thread had handed out the part before) to the hand-out; and from there, or from
// when it could run if that is later, to its start. The time in which a scheduler notices an end is part of
// the first, since that is when it delays something.
//
// Made once and then simulated many times; it owns its arrays. Times are from the first moment of the window.
//
//   const ScheduleModel model = schedule_model(trace, chip, times);
//   const Ticks makespan = simulate(model, {}).makespan;
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analysis/chip/chip_load.h"
#include "analysis/chip/task_graph.h"
#include "analysis/chip/task_times.h"

namespace accelscope::analysis::chip {

inline constexpr std::uint32_t kNoThread = 0xFFFFFFFF;

struct ModelPart {
  std::uint32_t node = 0;
  std::uint32_t core = 0;  // that it ran on
  trace::StringId function = trace::StringId::kEmpty;
  std::int64_t length = 0;
  std::int64_t hand_out = 0;
  std::int64_t pick_up = 0;
  bool was_handed_out = false;  // the moment was recorded: it takes its turn in its scheduler thread
};

// Parts that start together: a MIX block, else a single part.
struct ModelBlock {
  std::uint32_t first_part = 0;
  std::uint32_t parts = 0;
  std::array<std::uint32_t, kEngines> needs = {};  // cores of each kind
  std::size_t queue = 0;
};

struct ModelCore {
  std::size_t engine = kCubeEngine;
  std::uint32_t thread = kNoThread;
};

struct ScheduleModel {
  TaskGraph graph = {};
  std::uint32_t nodes = 0;  // those of the graph, and one for every part that belongs to no task
  std::vector<std::int64_t> release = {};       // per node: when it was asked for
  std::vector<std::int64_t> control_time = {};  // per node without parts: from ready to done
  std::vector<std::uint32_t> order = {};        // per node: its turn among those that get ready together
  std::vector<std::uint32_t> first_block = {};  // per node, and one more
  std::vector<ModelBlock> blocks = {};
  std::vector<ModelPart> parts = {};
  std::vector<ModelCore> cores = {};
  std::uint32_t threads = 0;
  Ticks observed = {};  // the last end
};

ScheduleModel schedule_model(const trace::Trace& trace, const trace::ChipRun& chip, const TaskTimes& times);

// What is different from the recording.
struct Change {
  trace::StringId faster = trace::StringId::kEmpty;  // this function...
  double speedup = 1;                                // ...takes this fraction of its time
  bool no_scheduler_cost = false;
  bool no_submission_cost = false;
  std::size_t extra_core = kEngines;  // of this engine; kEngines for none
};

struct Simulated {
  Ticks makespan = {};
  std::uint32_t never_ready = 0;  // nodes that wait for themselves
};

Simulated simulate(const ScheduleModel& model, const Change& change);

}  // namespace accelscope::analysis::chip
