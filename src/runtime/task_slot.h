// A task on its way through the runtime, in a slot of its ring's task window, and the dependencies between
// tasks.
//
// Who may touch what: the orchestrator fills a slot before it gives up its own part of `fan_in`; from then on
// the plain members are only read, by whoever got the slot out of a queue or a register. Counters, lists and
// states are the platform's (machine.h). The slot is the orchestrator's again when `holds` is zero: all
// consumers have let go of it, the task is done with its own producers, and its scope has ended.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/graph.h"
#include "runtime/moment.h"

namespace accelscope::runtime {

// Where a task runs, and so in which ready queue it waits.
enum class Shape : std::uint8_t {
  kCube,
  kVector,
  kMix,      // several cores of one cluster
  kControl,  // none: a scheduler thread settles it, or finds out whether it runs at all
};
inline constexpr std::size_t kShapes = 4;
inline constexpr std::size_t kCoreShapes = 3;
inline constexpr std::size_t kLanes = 3;  // of a cluster: the cube core and two vector cores

constexpr std::uint32_t bit_of(Shape shape) {
  return 1U << static_cast<std::uint32_t>(shape);
}

constexpr std::uint64_t task_id(std::uint32_t ring, std::uint64_t local) {
  return std::uint64_t{ring} << 32U | local;
}
constexpr std::uint32_t ring_of(std::uint64_t id) {
  return static_cast<std::uint32_t>(id >> 32U);
}
constexpr std::uint64_t local_of(std::uint64_t id) {
  return id & 0xFFFFFFFF;
}

template <class Machine>
struct TaskSlot;

// A consumer waits for a producer. The entries of one consumer lie one behind the other in its ring's pool;
// those of one producer are a list.
template <class Machine>
struct Dependency {
  TaskSlot<Machine>* producer = nullptr;
  TaskSlot<Machine>* consumer = nullptr;
  Dependency* next = nullptr;  // of the producer; read before the consumer's fan_in is dropped
};

// A block that waits on a core for its doorbell.
struct StagedBlock {
  std::uint32_t core = 0;
  std::uint32_t sequence = 0;
};

// Of a task that may be given to a core before its producers are done. Whoever comes second rings the bell.
enum class EarlyState : std::uint32_t { kWaiting, kStaging, kStaged, kReleased };

template <class Machine>
struct TaskSlot {
  std::uint64_t id = 0;
  std::uint32_t task = 0;  // in the graph
  Shape shape = Shape::kControl;
  bool early = false;
  bool manual_scope = false;
  std::uint32_t blocks = 0;
  std::uint32_t lanes = 0;       // bit by lane
  std::uint32_t next_block = 0;  // whoever got the slot out of its ready queue
  std::uint64_t first_dependency = 0;
  std::uint32_t dependencies = 0;

  // The orchestrator's alone: where what belongs to the task ends in its ring.
  std::uint64_t heap_end = 0;
  std::uint64_t dependencies_end = 0;

  typename Machine::Counter fan_in;  // producers that are not done, and the orchestrator until it is wired
  typename Machine::Counter holds;   // consumers, the task itself, its scope
  typename Machine::Counter blocks_left;  // on cores, lanes counted
  typename Machine::template List<Dependency<Machine>> consumers;
  typename Machine::State all_dispatched;
  typename Machine::State early_state;
  std::array<StagedBlock, kLanes> staged = {};  // written before early_state becomes kStaged
};

}  // namespace accelscope::runtime
