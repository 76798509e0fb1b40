#include "formats/folded/folded_writer.h"

#include <fmt/core.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <limits>

#include "base/hash.h"
#include "base/string_interner.h"
#include "base/utf8.h"
#include "trace/parents_first.h"
#include "trace/self_time.h"

namespace accelscope::formats::folded {
namespace {

using base::Int128;
using base::StringId;
using trace::ClockId;
using trace::QualityTable;
using trace::RowRange;
using trace::Severity;
using trace::SliceId;
using trace::Ticks;
using trace::Trace;
using trace::TrackId;

constexpr std::uint32_t kMaxFrames = 1000;
constexpr std::uint32_t kNoNode = 0xFFFFFFFF;
constexpr ClockId kReference{0};

std::string as_frame(std::string_view name) {
  if (name.empty()) return "(unnamed)";
  std::string frame = base::replace_invalid_utf8(name);
  for (char& c : frame) {
    if (c == ';') c = ':';
    if (c == '\n' || c == '\r') c = ' ';
  }
  return frame;
}

// All distinct stacks, as a tree that shares their beginnings.
class StackTree {
 public:
  struct Node {
    std::uint32_t parent;
    StringId frame;
    std::uint32_t depth;
    ClockId clock;
    Int128 self_ticks;
  };

  std::uint32_t child(std::uint32_t parent, StringId frame, ClockId clock) {
    // Roots of different clocks never share a node, whatever they are called.
    const std::uint64_t above = parent == kNoNode ? 0xFFFFFFFFULL - 1 - index(clock) : parent;
    const auto added = static_cast<std::uint32_t>(nodes_.size());
    const auto [found, is_new] = children_.try_emplace(above << 32U | index(frame), added);
    if (is_new) nodes_.push_back({parent, frame, parent == kNoNode ? 1 : nodes_[parent].depth + 1, clock, 0});
    return found->second;
  }
  Node& operator[](std::uint32_t node) { return nodes_[node]; }
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  std::vector<Node> nodes_;
  tsl::robin_map<std::uint64_t, std::uint32_t, base::IntegerHash> children_;
};

class Folder {
 public:
  explicit Folder(const Trace& trace) : trace_(trace), frame_of_text_(trace.strings().size()) {}

  void fold_all() {
    for (std::uint32_t id = 0; id < trace_.tracks().size(); ++id)
      if (!trace_.slices_of(TrackId{id}).empty()) fold(TrackId{id});
  }

  void write_lines(base::Output& out) const;
  QualityTable notes() const;

 private:
  StringId frame(StringId text) {
    StringId& known = frame_of_text_[index(text)];
    if (known == StringId::kEmpty) known = frames_.intern(as_frame(trace_.text(text)));
    return known;
  }

  std::uint32_t node_of_track(TrackId track) {
    std::vector<TrackId> path;
    for (TrackId at = track; at != TrackId::kNone; at = trace_.track(at).parent) path.push_back(at);
    const ClockId clock = trace_.track(track).clock;
    std::uint32_t node = kNoNode;
    if (clock != kReference)
      node = stacks_.child(
          node, frames_.intern(fmt::format("(clock: {})", as_frame(trace_.text(trace_.clock(clock).name)))),
          clock);
    std::reverse(path.begin(), path.end());
    for (const TrackId at : path) node = below(node, trace_.track(at).name, clock);
    return node;
  }

  std::uint32_t below(std::uint32_t node, StringId text, ClockId clock) {
    if (node != kNoNode && stacks_[node].depth >= kMaxFrames) {
      ++too_deep_;
      return node;
    }
    return stacks_.child(node, frame(text), clock);
  }

  void fold(TrackId track);

  const Trace& trace_;
  base::StringInterner frames_;
  std::vector<StringId> frame_of_text_;
  StackTree stacks_;
  std::uint64_t negative_ = 0;
  std::uint64_t too_deep_ = 0;
};

void Folder::fold(TrackId track) {
  const trace::SliceTable& slices = trace_.slices();
  const RowRange rows = trace_.slices_of(track);
  const ClockId clock = trace_.track(track).clock;
  const std::vector<Ticks> self = self_times(trace_, rows);
  const std::uint32_t track_node = node_of_track(track);
  std::vector<std::uint32_t> node_of(rows.count, kNoNode);
  trace::for_each_parent_first(slices, rows, [&](std::uint32_t row) {
    const SliceId parent = slices.parent[row];
    const std::uint32_t above = parent == SliceId::kNone ? track_node : node_of[index(parent) - rows.first];
    const std::uint32_t node = below(above, slices.name[row], clock);
    node_of[row - rows.first] = node;
    const Ticks ticks = self[row - rows.first];
    if (ticks < Ticks{})
      ++negative_;
    else
      stacks_[node].self_ticks += ticks.value;
  });
}

std::int64_t shown_value(const Trace& trace, const StackTree::Node& node) {
  constexpr Int128 kMost = std::numeric_limits<std::int64_t>::max();
  const Ticks ticks{static_cast<std::int64_t>(std::min(node.self_ticks, kMost))};
  return trace.clock(node.clock).frequency.to_nanoseconds(ticks).value;
}

void Folder::write_lines(base::Output& out) const {
  const std::vector<StackTree::Node>& nodes = stacks_.nodes();
  // Children of each node lie together, ordered by name; the roots come last, with the highest parent.
  std::vector<std::uint32_t> order(nodes.size());
  for (std::uint32_t node = 0; node < order.size(); ++node) order[node] = node;
  const auto comes_before = [&](std::uint32_t a, std::uint32_t b) {
    if (nodes[a].parent != nodes[b].parent) return nodes[a].parent < nodes[b].parent;
    const int names = frames_.text(nodes[a].frame).compare(frames_.text(nodes[b].frame));
    return names != 0 ? names < 0 : a < b;
  };
  std::sort(order.begin(), order.end(), comes_before);
  struct Pending {
    std::uint32_t node;
    std::size_t path_size;
  };
  std::vector<Pending> pending;
  const auto push_children = [&](std::uint32_t parent, std::size_t path_size) {
    const auto above = [&](std::uint32_t node, std::uint32_t key) { return nodes[node].parent < key; };
    const auto first = std::lower_bound(order.begin(), order.end(), parent, above);
    auto last = first;
    while (last != order.end() && nodes[*last].parent == parent) ++last;
    for (auto at = last; at != first;) pending.push_back({*--at, path_size});
  };
  push_children(kNoNode, 0);
  std::string path;
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    path.resize(next.path_size);
    if (!path.empty()) path += ';';
    path += frames_.text(nodes[next.node].frame);
    if (const std::int64_t value = shown_value(trace_, nodes[next.node]); value > 0)
      out.append(fmt::format("{} {}\n", path, value));
    push_children(next.node, path.size());
  }
}

QualityTable Folder::notes() const {
  QualityTable notes;
  if (negative_ > 0)
    notes.add({.id = "folded.negative_self_time",
               .severity = Severity::kWarning,
               .sentence = "Slices whose children run longer than they do: their self time counts as zero.",
               .count = negative_});
  if (too_deep_ > 0)
    notes.add({.id = "folded.too_deep",
               .severity = Severity::kInfo,
               .sentence = fmt::format("Stacks deeper than {} frames count for their first {}.", kMaxFrames,
                                       kMaxFrames),
               .count = too_deep_});
  std::vector<bool> used(trace_.clocks().size());
  for (const StackTree::Node& node : stacks_.nodes()) used[index(node.clock)] = true;
  for (std::uint32_t id = 0; id < used.size(); ++id)
    if (used[id] && !trace_.clocks()[id].frequency.known())
      notes.add({.id = "time.unknown_unit",
                 .severity = Severity::kWarning,
                 .sentence = fmt::format("The unit of clock '{}' is unknown: one tick counts as 1 ns.",
                                         trace_.text(trace_.clocks()[id].name))});
  return notes;
}

}  // namespace

base::Result<QualityTable> write(const Trace& trace, base::Output& out) {
  Folder folder(trace);
  folder.fold_all();
  folder.write_lines(out);
  ACCELSCOPE_CHECK(out.status());
  return folder.notes();
}

}  // namespace accelscope::formats::folded
