#include "trace/summary.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "trace/call_tree.h"
#include "trace_fixture.h"

namespace accelscope::trace {
namespace {

TEST(Summary, CountsRunsPerMethodAndOverlaps) {
  OneTrack t;
  const SliceId first = t.slice("execute", 0, 10);
  const SliceId second = t.slice("execute", 20, 35);
  t.slice("overlaps the second", 30, 40);
  const auto run = [&](SliceId root, RunStatus status) {
    t.builder.add_run({.method = t.builder.intern("forward"), .status = status, .root = root});
  };
  run(first, RunStatus::kComplete);
  run(second, RunStatus::kComplete);
  run(SliceId::kNone, RunStatus::kAborted);
  const Trace trace = t.finish();
  const TraceSummary summary = summarise(trace);
  EXPECT_EQ(summary.overlapping_slices, 1U);
  EXPECT_EQ(summary.runs_complete, 2U);
  EXPECT_EQ(summary.runs_aborted, 1U);
  ASSERT_EQ(summary.methods.size(), 2U);  // the aborted run has no root that would tell its process
  EXPECT_EQ(summary.methods[0].runs[1].end_to_end->value, 15);
  EXPECT_FALSE(summary.methods[1].runs[0].end_to_end);
}

TEST(CallTree, AddsUpEqualPathsAndKeepsTheSum) {
  OneTrack t;
  for (int i = 0; i < 3; ++i) {
    t.slice("root", i * 100, i * 100 + 50);
    t.slice("a", i * 100, i * 100 + 10);
    t.slice("b", i * 100 + 10, i * 100 + 40);
    t.slice("a", i * 100 + 12, i * 100 + 13);
  }
  const Trace trace = t.finish();
  const CallTree tree = call_tree(trace, t.track);
  ASSERT_EQ(tree.roots.size(), 1U);
  const CallTreeNode& root = tree.nodes[tree.roots[0]];
  EXPECT_EQ(root.count, 3U);
  EXPECT_EQ(root.total.value, 150);
  EXPECT_EQ(root.self.value, 30);
  ASSERT_EQ(root.children.size(), 2U);
  EXPECT_EQ(trace.text(tree.nodes[root.children[0]].name), "b");
  EXPECT_EQ(tree.nodes[root.children[0]].self.value, 87);
  const CallTree only_first =
      call_tree(trace, t.track, [&](SliceId slice) { return trace.slices().start[index(slice)].value == 0; });
  EXPECT_EQ(only_first.nodes[only_first.roots[0]].total.value, 50);
}

TEST(CallTree, OneNameUnderManyParentsCostsNoMore) {
  OneTrack t;
  constexpr int kParents = 20'000;
  for (int i = 0; i < kParents; ++i) {
    t.slice("task " + std::to_string(i), i * 10, i * 10 + 10);
    t.slice("kernel", i * 10 + 1, i * 10 + 9);
  }
  const Trace trace = t.finish();
  const CallTree tree = call_tree(trace, t.track);
  EXPECT_EQ(tree.roots.size(), std::size_t{kParents});
  EXPECT_EQ(tree.nodes.size(), 2 * std::size_t{kParents});
}

TEST(CallTree, ParentsMayBeLoggedAfterTheirChildren) {
  tests::OneTrackSketch sketch;
  const SliceId leaf = sketch.add("leaf", 0, 5);
  const SliceId middle = sketch.add("middle", 0, 5);
  sketch.builder.set_parent(leaf, middle);
  sketch.builder.set_parent(middle, sketch.add("root", 0, 5));
  const Trace trace = sketch.finish();
  const CallTree tree = call_tree(trace, sketch.track);
  ASSERT_EQ(tree.nodes.size(), 3U);
  EXPECT_EQ(trace.text(tree.nodes[0].name), "root");
  EXPECT_EQ(trace.text(tree.nodes[2].name), "leaf");
}

TEST(CallTree, SumsThatLeave64BitsStayConsistent) {
  tests::OneTrackSketch sketch;
  constexpr std::int64_t kAbsurd = std::int64_t{1} << 62;
  for (int i = 0; i < 3; ++i) {
    const SliceId root = sketch.add("root", 0, kAbsurd);
    sketch.add("child", 0, kAbsurd - i, root);
  }
  const Trace trace = sketch.finish();
  const CallTree tree = call_tree(trace, sketch.track);
  ASSERT_EQ(tree.nodes.size(), 2U);
  EXPECT_EQ(tree.nodes[0].self.value, 3);
}

TEST(Quality, MergesEqualRowsAndSortsBySeverity) {
  QualityTable table;
  table.add({.id = "a", .sentence = "A."});
  table.add({.id = "b",
             .severity = Severity::kError,
             .sentence = "B.",
             .first_place = base::Location::byte("f", 3)});
  table.add({.id = "b",
             .severity = Severity::kError,
             .sentence = "B.",
             .count = 4,
             .first_place = base::Location::byte("f", 9)});
  EXPECT_EQ(table.count("b"), 5U);
  EXPECT_TRUE(table.has_errors());
  EXPECT_EQ(table.by_severity()[0].id, "b");
  EXPECT_EQ(table.by_severity()[0].first_place.position, 3U);
}

TEST(Schema, TheDocumentationIsMadeFromIt) {
  std::ifstream file(std::string(ACCELSCOPE_SOURCE_DIR) + "/docs/trace-model.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_NE(text.str().find(schema_markdown()), std::string::npos)
      << "docs/trace-model.md does not hold the tables below; paste them in:\n"
      << schema_markdown();
}

TEST(Schema, ASliceIs48Bytes) {
  const OneTrack t;
  std::size_t bytes = 0;
  SliceTable slices;
  for_each_column(slices, [&](const ColumnInfo&, const auto& column) {
    bytes += sizeof(typename std::remove_cvref_t<decltype(column)>::Value);
  });
  EXPECT_EQ(bytes, 48U);
}

}  // namespace
}  // namespace accelscope::trace
