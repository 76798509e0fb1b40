#include "analysis/chip/longest_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "stats/random.h"

namespace accelscope::analysis::chip {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct Graph {
  std::vector<std::int64_t> weight;
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> successors;

  Graph(std::vector<std::int64_t> weights, Edges edges) : weight(std::move(weights)) {
    std::sort(edges.begin(), edges.end());
    first.assign(weight.size() + 1, 0);
    for (const auto& [from, to] : edges) {
      ++first[from + 1];
      successors.push_back(to);
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
  }
  LongestPath path(Slack slack = Slack::kNo) const {
    return longest_path({weight, first, successors}, slack);
  }
};

using Nodes = std::vector<std::uint32_t>;

TEST(LongestPath, TakesTheHeavierBranch) {
  const Graph graph({1, 5, 7, 2}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  const LongestPath path = graph.path(Slack::kYes);
  EXPECT_EQ(path.length, 10);
  EXPECT_EQ(path.nodes, (Nodes{0, 2, 3}));
  EXPECT_EQ(path.slack, (std::vector<std::int64_t>{0, 2, 0, 0}));
  EXPECT_EQ(path.on_cycles, 0U);
}

TEST(LongestPath, NumbersNeedNotBeInOrder) {
  const Graph graph({2, 7, 5, 1}, {{3, 2}, {3, 1}, {2, 0}, {1, 0}});
  const LongestPath path = graph.path(Slack::kYes);
  EXPECT_EQ(path.length, 10);
  EXPECT_EQ(path.nodes, (Nodes{3, 1, 0}));
  EXPECT_EQ(path.slack, (std::vector<std::int64_t>{0, 0, 2, 0}));
}

TEST(LongestPath, NothingAndNoEdges) {
  EXPECT_TRUE(Graph({}, {}).path(Slack::kYes).nodes.empty());
  const LongestPath path = Graph({3, 9, 9}, {}).path();
  EXPECT_EQ(path.length, 9);
  EXPECT_EQ(path.nodes, (Nodes{1}));
}

TEST(LongestPath, LeavesCyclesOutAndGoesOnBehindThem) {
  // 1 and 2 wait for each other; 3 waits for 2, and starts a chain of its own; 5 waits for itself.
  const Graph graph({100, 10, 10, 60, 50, 1000}, {{0, 1}, {1, 2}, {2, 1}, {2, 3}, {3, 4}, {5, 5}});
  const LongestPath path = graph.path(Slack::kYes);
  EXPECT_EQ(path.on_cycles, 3U);
  EXPECT_EQ(path.length, 110);
  EXPECT_EQ(path.nodes, (Nodes{3, 4}));
  EXPECT_EQ(path.slack[0], 10);
}

TEST(LongestPath, WeightsThatDoNotFitStayLarge) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(Graph({most, most}, {{0, 1}}).path().length, most);
}

// Against the plain definition: repeat until nothing grows.
TEST(LongestPath, AgreesWithTheDefinitionOnRandomGraphs) {
  stats::Generator random(7);
  const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random.next() % n); };
  for (int round = 0; round < 50; ++round) {
    const std::uint32_t count = 2 + below(60);
    std::vector<std::uint32_t> place(count);
    std::iota(place.begin(), place.end(), 0U);
    for (std::uint32_t i = count; round % 2 == 1 && i-- > 1;) std::swap(place[i], place[below(i + 1)]);
    Edges edges;
    for (std::uint32_t i = 0; i < 2 * count; ++i) {
      const std::uint32_t a = below(count), b = below(count);
      if (a != b) edges.emplace_back(place[std::min(a, b)], place[std::max(a, b)]);
    }
    std::vector<std::int64_t> weight(count);
    for (std::int64_t& w : weight) w = below(20);
    std::vector<std::int64_t> end = weight;
    for (bool grew = true; grew;) {
      grew = false;
      for (const auto& [from, to] : edges) {
        if (end[from] + weight[to] <= end[to]) continue;
        end[to] = end[from] + weight[to];
        grew = true;
      }
    }
    const LongestPath path = Graph(weight, edges).path(Slack::kYes);
    EXPECT_EQ(path.length, *std::max_element(end.begin(), end.end()));
    EXPECT_EQ(path.on_cycles, 0U);
    std::int64_t sum = 0;
    for (const std::uint32_t node : path.nodes) {
      sum += weight[node];
      EXPECT_EQ(path.slack[node], 0);
    }
    EXPECT_EQ(sum, path.length);
    for (std::size_t i = 0; i + 1 < path.nodes.size(); ++i)
      EXPECT_NE(std::find(edges.begin(), edges.end(), std::pair(path.nodes[i], path.nodes[i + 1])),
                edges.end());
    // Slack is exact: with it the path does not grow, with one more it does.
    const std::uint32_t node = below(count);
    std::vector<std::int64_t> heavier = weight;
    heavier[node] += path.slack[node];
    EXPECT_EQ(Graph(heavier, edges).path().length, path.length);
    ++heavier[node];
    EXPECT_EQ(Graph(heavier, edges).path().length, path.length + 1);
  }
}

}  // namespace
}  // namespace accelscope::analysis::chip
