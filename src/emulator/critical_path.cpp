#include "emulator/path_log.h"

#include <algorithm>

namespace accelscope::emulator {

using base::Picoseconds;

PathLog::PathLog(std::span<const Operation> operations, Picoseconds period, std::size_t most)
    : operations_(operations), period_(period), least_(most), most_(most) {
  path_.by_instruction.resize(operations.size());
}

void PathLog::attribute(const Node& before, Reason reason, Picoseconds until) {
  const Picoseconds time = until - before.start;
  path_.by_instruction[before.pc()] += time;
  const Picoseconds issue = reason == Reason::kOrder       ? time
                            : reason == Reason::kRecovered ? period_
                                                           : Picoseconds{};
  path_.issue += issue;
  path_.by_unit[index(operations_[before.pc()].unit)] += time - issue;
}

void PathLog::keep(std::span<NodeId* const> used) {
  // How many ways lead on from a node: those who hold it, and the nodes behind it that are still of use.
  ways_.assign(nodes_.size(), 0);
  next_.assign(nodes_.size(), kNoNode);
  for (NodeId* const id : used) ++ways_[*id];
  for (std::size_t i = nodes_.size(); i-- > 1;) {
    if (ways_[i] == 0) continue;
    ++ways_[nodes_[i].before];
    next_[nodes_[i].before] = static_cast<NodeId>(i);
  }
  // Up to where the ways part, everything is certainly on the path.
  NodeId first = 0;
  std::vector<bool> held(nodes_.size(), false);
  for (NodeId* const id : used) held[*id] = true;
  while (ways_[first] == 1 && !held[first]) {
    const NodeId behind = next_[first];
    attribute(nodes_[first], nodes_[behind].reason(), nodes_[behind].start);
    first = behind;
  }
  NodeId kept = 0;
  for (std::size_t i = first; i < nodes_.size(); ++i) {
    if (ways_[i] == 0) continue;
    next_[i] = kept;  // where it goes
    nodes_[kept] = nodes_[i];
    nodes_[kept].before = i == first ? 0 : next_[nodes_[i].before];
    ++kept;
  }
  nodes_.erase(nodes_.begin() + kept, nodes_.end());
  for (NodeId* const id : used) *id = next_[*id];
  most_ = std::max(least_, 2 * nodes_.size());
}

CriticalPath PathLog::finish(NodeId last, Picoseconds end) {
  path_.total = end;
  if (nodes_.empty()) return std::move(path_);
  attribute(nodes_[last], Reason::kWait, end);
  for (NodeId at = last; at != 0; at = nodes_[at].before)
    attribute(nodes_[nodes_[at].before], nodes_[at].reason(), nodes_[at].start);
  return std::move(path_);
}

}  // namespace accelscope::emulator
