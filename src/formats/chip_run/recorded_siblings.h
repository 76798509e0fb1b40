// Records of dependencies, counters and scopes as what the files beside a swimlane hold of them.
//
// One thread fills it, buffer by buffer, those of one producer in order.
//
//   RecordedSiblings recorded;
//   recorded.add(records);
//   Siblings siblings = std::move(recorded).settle(facts, path, rows);
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "formats/capture/recording.h"
#include "formats/chip_run/chip_run_files.h"
#include "formats/chip_run/recorded_rows.h"

namespace accelscope::formats::chip_run {

class RecordedSiblings {
 public:
  void expect_fanout(std::size_t edges) { fanout_.reserve(edges); }
  void add(std::span<const recorder::EdgeRecord> records);
  void add(std::span<const recorder::TaskDescriptionRecord> records);
  void add(std::span<const recorder::PmuRecord> records);
  void add(std::span<const recorder::ScopeRecord> records);
  void add_tensors(std::uint64_t count) { tensors_ += count; }

  // Edges without a reason, and all of them where no task is described, go to the rows.
  Siblings settle(const capture::RecordingFacts& facts, const std::string& path, RecordedRows& rows) &&;

 private:
  struct PairHash {
    std::size_t operator()(const std::pair<std::uint64_t, std::uint64_t>& pair) const {
      return base::hash_of(pair.first, pair.second);
    }
  };
  pmu_csv::PmuTable pmu_table(const capture::RecordingFacts& facts);
  scope_stats::ScopeStats scopes(const capture::RecordingFacts& facts) const;

  std::vector<deps::Task> tasks_;
  std::vector<deps::Edge> edges_;  // with reasons
  tsl::robin_map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t, PairHash> edge_of_pair_;
  std::uint64_t listed_edges_ = 0;
  std::vector<chip_swimlane::FanoutEdge> fanout_;
  std::vector<recorder::PmuRecord> pmu_;
  std::vector<recorder::ScopeRecord> scopes_;
  std::uint64_t edges_to_themselves_ = 0;
  std::uint64_t tensors_ = 0;
};

}  // namespace accelscope::formats::chip_run
