// What a scheduler thread knows of the cores it feeds.
//
// Each core has up to two dispatches: one that runs and, where dual issue is allowed, one that waits behind
// it. Another may be given to a core that has none, or whose only one has begun and does not wait for a
// doorbell. Belongs to one scheduler thread. Cores are looked at in the order of clusters, lowest first, so
// that a core that has run a function before is the likelier one to run it again.
//
//   if (const std::optional<std::uint32_t> core = table.find(Shape::kVector, Room::kIdle)) ...
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "device/chip.h"
#include "runtime/core_registers.h"
#include "runtime/task_slot.h"

namespace accelscope::runtime {

enum class Room : std::uint8_t { kIdle, kPending };

template <class Machine>
struct InFlight {
  TaskSlot<Machine>* slot = nullptr;
  std::uint32_t block = 0;
  std::uint32_t lane = 0;
  std::uint64_t dispatched = 0;  // ticks
  bool gated = false;
};

template <class Machine>
struct FedCore {
  std::uint32_t core = 0;
  std::uint32_t given = 0;  // the number of the last dispatch
  std::uint32_t begun = 0;
  std::uint32_t finished = 0;
  std::uint32_t condition = 0;                    // as last seen
  std::array<InFlight<Machine>, 2> flights = {};  // by number % 2

  std::uint32_t outstanding() const { return given - finished; }
  bool has(Room room) const {
    if (outstanding() == 0) return room == Room::kIdle;
    return room == Room::kPending && outstanding() == 1 && begun == given;
  }
  // Whether all it has waits for a doorbell.
  bool only_gated() const { return outstanding() == 1 && begun != given && flights[given % 2].gated; }
};

template <class Machine>
class CoreTable {
 public:
  // Of clusters thread, thread + threads, thread + 2 * threads, ...
  CoreTable(const device::Chip& chip, std::uint32_t thread) {
    for (std::uint32_t cluster = thread; cluster < chip.clusters; cluster += chip.scheduler_threads) {
      cores_.push_back({.core = chip.cube_core(cluster)});
      cores_.push_back({.core = chip.vector_core(cluster, 0)});
      cores_.push_back({.core = chip.vector_core(cluster, 1)});
    }
  }

  std::vector<FedCore<Machine>>& cores() { return cores_; }
  const std::vector<FedCore<Machine>>& cores() const { return cores_; }
  // The core of a lane in the same cluster as another.
  FedCore<Machine>& lane(std::uint32_t first, std::uint32_t lane) { return cores_[first + lane]; }

  // Position of a core of a plain shape, or of the first core of a cluster that has room in all these lanes.
  std::optional<std::uint32_t> find(Shape shape, std::uint32_t lanes, Room room) const {
    for (std::uint32_t first = 0; first < cores_.size(); first += kLanes) {
      if (shape == Shape::kMix) {
        if (all_have(first, lanes, room)) return first;
      } else if (shape == Shape::kCube) {
        if (cores_[first].has(room)) return first;
      } else {
        if (cores_[first + 1].has(room)) return first + 1;
        if (cores_[first + 2].has(room)) return first + 2;
      }
    }
    return std::nullopt;
  }
  bool any_outstanding() const {
    for (const FedCore<Machine>& core : cores_)
      if (core.outstanding() > 0) return true;
    return false;
  }

 private:
  // A cluster may be idle in one lane and have room behind in another.
  bool all_have(std::uint32_t first, std::uint32_t lanes, Room room) const {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      if ((lanes & (1U << lane)) == 0) continue;
      const FedCore<Machine>& core = cores_[first + lane];
      if (!core.has(Room::kIdle) && !(room == Room::kPending && core.has(Room::kPending))) return false;
    }
    return true;
  }

  std::vector<FedCore<Machine>> cores_;
};

}  // namespace accelscope::runtime
