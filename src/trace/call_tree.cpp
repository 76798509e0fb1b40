#include "trace/call_tree.h"

#include <tsl/robin_map.h>

#include <algorithm>

#include "base/hash.h"
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
  std::vector<bool> visited(rows.count, false);
  std::vector<std::uint32_t> chain;
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    // A parent may stand after its child (equal starts), so each slice first places the ancestors that have
    // no node yet.
    chain.clear();
    std::uint32_t current = row;
    while (!visited[current - rows.first]) {
      visited[current - rows.first] = true;
      chain.push_back(current);
      if (slices.parent[current] == SliceId::kNone) break;
      current = index(slices.parent[current]);
    }
    std::reverse(chain.begin(), chain.end());
    for (const std::uint32_t placed : chain) {
      const SliceId parent = slices.parent[placed];
      const bool is_root = parent == SliceId::kNone;
      const std::uint32_t parent_node = is_root ? kNoNode : node_of[index(parent) - rows.first];
      if (is_root ? keep && !keep(SliceId{placed}) : parent_node == kNoNode) continue;
      const std::uint32_t node = table.node(parent_node, slices.name[placed], slices.category[placed]);
      node_of[placed - rows.first] = node;
      tree.nodes[node].count += 1;
      tree.nodes[node].total += slices.duration[placed];
      tree.nodes[node].self += self[placed - rows.first];
    }
  }
  for (CallTreeNode& node : tree.nodes) sort_children(trace, tree, node.children);
  sort_children(trace, tree, tree.roots);
  return tree;
}

}  // namespace accelscope::trace
