// Finds the critical path of a run while it goes: each start of an operation is a node, with the node that it
// waited for.
//
// What nobody can wait for any more is forgotten from time to time, and what lies before everything that is
// left is certainly on the path and summed up. So a run of any length needs as much memory as its paths need
// to meet, usually a few dozen operations. Used by one thread; the operations outlive it.
//
//   const NodeId node = log.add(pc, start, waited_for, Reason::kWait);
//   if (log.full()) log.keep(all_ids_in_use);
//   const CriticalPath path = log.finish(last_to_end, end);
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/units.h"
#include "emulator/accounts.h"
#include "emulator/critical_path.h"
#include "emulator/operation.h"

namespace accelscope::emulator {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = std::numeric_limits<NodeId>::max();

class PathLog {
 public:
  // What an operation waited for.
  enum class Reason : std::uint8_t {
    kOrder,     // its turn to be issued
    kWait,      // another operation
    kRecovered  // another operation, and the cycle after a stall
  };

  // `most`: nodes after which it is full.
  PathLog(std::span<const Operation> operations, base::Picoseconds period, std::size_t most = 1U << 16U);

  // The first node comes before all others and waited for nothing.
  NodeId add(std::uint32_t pc, base::Picoseconds start, NodeId before, Reason reason) {
    const auto id = static_cast<NodeId>(nodes_.size());
    nodes_.push_back({start, id == 0 ? 0 : before, pc << 2U | static_cast<std::uint32_t>(reason)});
    return id;
  }
  bool full() const { return nodes_.size() >= most_; }
  // Keeps these and what they waited for, and changes them to what they are called from now on.
  void keep(std::span<NodeId* const> used);

  // The path to the end of an operation. Nothing can be added any more.
  CriticalPath finish(NodeId last, base::Picoseconds end);

  std::size_t size() const { return nodes_.size(); }

 private:
  struct Node {
    base::Picoseconds start;
    NodeId before;
    std::uint32_t pc_and_reason;  // the reason in the lowest two bits

    std::uint32_t pc() const { return pc_and_reason >> 2U; }
    Reason reason() const { return static_cast<Reason>(pc_and_reason & 3U); }
  };

  // A node's own time on the path: until the one behind it starts.
  void attribute(const Node& before, Reason reason, base::Picoseconds until);

  std::span<const Operation> operations_;
  base::Picoseconds period_;
  std::size_t least_;
  std::size_t most_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> ways_;
  std::vector<NodeId> next_;
  CriticalPath path_;
};

}  // namespace accelscope::emulator
