#include "analysis/chip/longest_path.h"

#include <algorithm>
#include <limits>

namespace accelscope::analysis::chip {
namespace {

constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

// Weights come from files: a sum that does not fit stays at the largest number.
std::int64_t add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

// What an edge touches at its far end lies together: one cache line per edge.
struct Node {
  std::int64_t before = 0;  // weight of the heaviest chain that ends just before this node
  std::uint32_t via = kNoNode;
  std::uint32_t waiting = 0;  // predecessors that have no place in the order yet
};

class Search {
 public:
  explicit Search(const WeightedGraph& graph)
      : graph_(graph), count_(static_cast<std::uint32_t>(graph.weight.size())), nodes_(count_) {}

  LongestPath find(Slack slack) && {
    if (edges_lead_upwards()) {
      for (std::uint32_t node = 0; node < count_; ++node) relax(node);
    } else {
      keep_order_ = slack == Slack::kYes;
      count_predecessors();
      visit_in_order();
      if (visited_ < count_) leave_cycles_out();
    }
    trace_back();
    if (slack == Slack::kYes) add_slack();
    return std::move(path_);
  }

 private:
  std::span<const std::uint32_t> successors(std::uint32_t node) const {
    const std::uint32_t from = graph_.first[node];
    return graph_.successors.subspan(from, graph_.first[node + 1] - from);
  }
  bool is_left_out(std::uint32_t node) const { return !left_out_.empty() && left_out_[node]; }

  bool edges_lead_upwards() const {
    for (std::uint32_t node = 0; node < count_; ++node)
      for (const std::uint32_t successor : successors(node))
        if (successor <= node) return false;
    return true;
  }

  void relax(std::uint32_t node) {
    const std::int64_t end = add(nodes_[node].before, graph_.weight[node]);
    for (const std::uint32_t successor : successors(node)) {
      Node& next = nodes_[successor];
      if (next.via != kNoNode && end <= next.before) continue;
      next.before = end;
      next.via = node;
    }
  }

  void count_predecessors() {
    for (const std::uint32_t successor : graph_.successors) ++nodes_[successor].waiting;
  }

  // Kahn's order, but along the numbers: only nodes that the walk has already passed have to be remembered.
  void visit_in_order() {
    for (std::uint32_t node = 0; node < count_; ++node) {
      if (nodes_[node].waiting > 0) continue;
      visit(node, node);
      while (!passed_.empty()) {
        const std::uint32_t next = passed_.back();
        passed_.pop_back();
        visit(next, node);
      }
    }
  }

  void visit(std::uint32_t node, std::uint32_t walked_to) {
    nodes_[node].waiting = kNoNode;  // never again
    ++visited_;
    if (keep_order_) order_.push_back(node);
    relax(node);
    for (const std::uint32_t successor : successors(node))
      if (--nodes_[successor].waiting == 0 && successor <= walked_to) passed_.push_back(successor);
  }

  // What could not be visited is on a cycle or behind one. Taking away, from the end, what leads nowhere
  // leaves the cycles and what lies between them; the rest is then visited as if they were not there.
  void leave_cycles_out() {
    left_out_.assign(count_, false);
    for (std::uint32_t node = 0; node < count_; ++node) left_out_[node] = nodes_[node].waiting != kNoNode;
    peel_from_the_end();
    for (std::uint32_t node = 0; node < count_; ++node) {
      if (!left_out_[node]) continue;
      ++path_.on_cycles;
      for (const std::uint32_t successor : successors(node)) --nodes_[successor].waiting;
    }
    for (std::uint32_t node = 0; node < count_; ++node)
      if (left_out_[node]) nodes_[node] = {.waiting = kNoNode};
    visit_in_order();
  }

  void peel_from_the_end() {
    std::vector<std::uint32_t> remaining(count_, 0);  // successors that are still left out
    std::vector<std::uint32_t> first(count_ + std::size_t{1}, 0);
    std::vector<std::uint32_t> ends;
    for (std::uint32_t node = 0; node < count_; ++node) {
      if (!left_out_[node]) continue;
      for (const std::uint32_t successor : successors(node)) ++first[successor];
      remaining[node] = graph_.first[node + 1] - graph_.first[node];
      if (remaining[node] == 0) ends.push_back(node);
    }
    for (std::uint32_t node = 0; node < count_; ++node) first[node + 1] += first[node];
    std::vector<std::uint32_t> producers(first[count_]);
    for (std::uint32_t node = 0; node < count_; ++node)
      if (left_out_[node])
        for (const std::uint32_t successor : successors(node)) producers[--first[successor]] = node;
    while (!ends.empty()) {
      const std::uint32_t node = ends.back();
      ends.pop_back();
      left_out_[node] = false;
      for (std::uint32_t i = first[node]; i < first[node + 1]; ++i)
        if (--remaining[producers[i]] == 0) ends.push_back(producers[i]);
    }
  }

  void trace_back() {
    std::uint32_t last = kNoNode;
    std::int64_t longest = -1;
    for (std::uint32_t node = 0; node < count_; ++node) {
      if (is_left_out(node)) continue;
      const std::int64_t end = add(nodes_[node].before, graph_.weight[node]);
      if (end <= longest) continue;
      longest = end;
      last = node;
    }
    if (last == kNoNode) return;
    path_.length = longest;
    for (std::uint32_t node = last; node != kNoNode; node = nodes_[node].via) path_.nodes.push_back(node);
    std::reverse(path_.nodes.begin(), path_.nodes.end());
  }

  void add_slack() {
    std::vector<std::int64_t> after(count_, 0);
    path_.slack.assign(count_, 0);
    const std::uint32_t in_order = keep_order_ ? static_cast<std::uint32_t>(order_.size()) : count_;
    for (std::uint32_t i = in_order; i-- > 0;) {
      const std::uint32_t node = keep_order_ ? order_[i] : i;
      for (const std::uint32_t successor : successors(node))
        if (!is_left_out(successor))
          after[node] = std::max(after[node], add(after[successor], graph_.weight[successor]));
      path_.slack[node] = path_.length - add(add(nodes_[node].before, graph_.weight[node]), after[node]);
    }
  }

  const WeightedGraph& graph_;
  std::uint32_t count_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> passed_;
  std::uint32_t visited_ = 0;
  bool keep_order_ = false;
  std::vector<std::uint32_t> order_;  // for the way back, when the numbers are not in order
  std::vector<bool> left_out_;
  LongestPath path_;
};

}  // namespace

LongestPath longest_path(const WeightedGraph& graph, Slack slack) {
  return Search(graph).find(slack);
}

}  // namespace accelscope::analysis::chip
