// The counters of a performance monitor, row by row for the dispatches they belong to.
//
// The file names core and task of a row, not the dispatch: the nth row of a task on a core is the nth time
// that this core carried out a part of the task. The table must outlive this; one thread.
//
//   PmuJoin pmu(table);
//   if (const pmu_csv::PmuRow* row = pmu.take(core, task)) use(row->values);
//   pmu.left();   // rows that nobody took
#pragma once

#include <cstdint>
#include <vector>

#include "formats/pmu_csv/pmu_csv.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::chip_run {

class PmuJoin {
 public:
  explicit PmuJoin(const pmu_csv::PmuTable& table);

  // The next row of this task on this core; nullptr when there is none.
  const pmu_csv::PmuRow* take(std::int32_t core, std::uint64_t task);
  std::uint64_t left() const { return table_.rows.size() - taken_; }

 private:
  // Rows of one task on one core: order_[next..end).
  struct Group {
    std::int32_t core = 0;
    std::uint64_t task = 0;
    std::uint32_t next = 0;
    std::uint32_t end = 0;
  };

  const pmu_csv::PmuTable& table_;
  std::vector<std::uint32_t> order_;
  std::vector<Group> groups_;  // by core and task
  std::uint64_t taken_ = 0;
};

// Writes the counters of a dispatch as its arguments, with the share of busy cycles in percent.
class PmuArguments {
 public:
  PmuArguments(const pmu_csv::PmuTable& table, trace::TraceBuilder& builder);

  void add(trace::SliceId slice, const pmu_csv::PmuRow& row);

 private:
  trace::TraceBuilder& builder_;
  trace::StringId total_;
  std::vector<trace::StringId> counters_;
  std::vector<trace::StringId> utilisations_;  // kEmpty for a counter that counts no busy cycles
};

// What the trace says of the table as a whole: the group of its counters, and doubts.
void note_pmu(const pmu_csv::PmuTable& table, const PmuJoin& join, std::uint64_t dispatches_without,
              trace::TraceBuilder& builder);

}  // namespace accelscope::formats::chip_run
