// pmu.csv: the counters of the performance monitor, one row per dispatch.
//
// Rows of one core are in the order of execution. Plain data; one thread reads.
//
//   ACCELSCOPE_TRY(const PmuTable pmu, read_pmu(file));
//   use(pmu.counters[0], pmu.rows[0].values[0]);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"
#include "trace/quality.h"

namespace accelscope::formats::pmu_csv {

struct PmuRow {
  std::int32_t thread = 0;
  std::int32_t core = 0;
  std::uint64_t task = 0;
  std::int32_t function = -1;
  std::int32_t core_type = 0;  // 0 AIC, 1 AIV
  std::uint64_t total_cycles = 0;
  std::int32_t event_type = 0;
  std::vector<std::uint64_t> values = {};  // as many as there are counters
};

struct PmuTable {
  std::vector<std::string> counters = {};  // names, as the header has them
  std::vector<PmuRow> rows = {};
  trace::QualityTable quality = {};
};

// What a group of counters measures: "PIPE" for 2. "" for a group that is not known.
std::string_view event_group_name(std::int32_t event_type);
// Whether a counter counts cycles in which something was busy, so that its share of the total is a
// utilisation.
bool is_busy_counter(std::string_view counter);

bool looks_like_pmu_csv(std::string_view bytes);

base::Result<PmuTable> read_pmu(const base::MappedFile& file);

}  // namespace accelscope::formats::pmu_csv
