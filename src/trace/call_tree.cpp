#include "trace/call_tree.h"

#include <tsl/robin_map.h>

#include <algorithm>

#include "base/hash.h"
#include "trace/parents_first.h"
#include "trace/self_time.h"

namespace accelscope::trace {
namespace {

constexpr std::uint32_t kNoNode = 0xFFFFFFFF;

// Finds or makes the node of one (parent node, name, category).
class NodeTable {
 public:
  explicit NodeTable(CallTree& tree) : tree_(tree) {}

  std::uint32_t node(std::uint32_t parent, StringId name, CategoryId category) {
    const Key key{parent, name, category};
    const auto [place, added] = nodes_.try_emplace(key, static_cast<std::uint32_t>(tree_.nodes.size()));
    if (added) {
      CallTreeNode node;
      node.name = name;
      node.category = category;
      tree_.nodes.push_back(std::move(node));
      (parent == kNoNode ? tree_.roots : tree_.nodes[parent].children).push_back(place->second);
    }
    return place->second;
  }

 private:
  struct Key {
    std::uint32_t parent;
    StringId name;
    CategoryId category;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const { return base::hash_of(key.parent, key.name, key.category); }
  };

  CallTree& tree_;
  tsl::robin_map<Key, std::uint32_t, Hash> nodes_;
};

void sort_children(const Trace& trace, const CallTree& tree, std::vector<std::uint32_t>& children) {
  std::sort(children.begin(), children.end(), [&](std::uint32_t a, std::uint32_t b) {
    const CallTreeNode& first = tree.nodes[a];
    const CallTreeNode& second = tree.nodes[b];
    if (first.total != second.total) return first.total > second.total;
    const std::string_view first_name = trace.text(first.name);
    const std::string_view second_name = trace.text(second.name);
    return first_name != second_name ? first_name < second_name : a < b;
  });
}

}  // namespace

CallTree call_tree(const Trace& trace, TrackId track, const std::function<bool(SliceId)>& keep) {
  const RowRange rows = trace.slices_of(track);
  const SliceTable& slices = trace.slices();
  const std::vector<Ticks> self = self_times(trace, rows);
  CallTree tree;
  NodeTable table(tree);
  std::vector<std::uint32_t> node_of(rows.count, kNoNode);
  for_each_parent_first(slices, rows, [&](std::uint32_t row) {
    const SliceId parent = slices.parent[row];
    const bool is_root = parent == SliceId::kNone;
    const std::uint32_t parent_node = is_root ? kNoNode : node_of[index(parent) - rows.first];
    if (is_root ? keep && !keep(SliceId{row}) : parent_node == kNoNode) return;
    const std::uint32_t node = table.node(parent_node, slices.name[row], slices.category[row]);
    node_of[row - rows.first] = node;
    tree.nodes[node].count += 1;
    add_wrapping(tree.nodes[node].total, slices.duration[row]);
    add_wrapping(tree.nodes[node].self, self[row - rows.first]);
  });
  for (CallTreeNode& node : tree.nodes) sort_children(trace, tree, node.children);
  sort_children(trace, tree, tree.roots);
  return tree;
}

}  // namespace accelscope::trace
