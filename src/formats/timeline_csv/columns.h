// Which cell of a row holds what: the header line of the kit's CSV files, in any order, with the spellings
// its documentation uses.
//
// Internal to this folder. Plain data and pure functions.
//
//   Header header = read_header(cells, kTimelineColumns);
//   std::string_view name = header.cell(row, Field::kName);     // empty when the row or the file has none
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace accelscope::formats::timeline_csv {

enum class Field : unsigned char {
  kModelId,
  kName,
  kType,
  kBackend,
  kStartUs,
  kTimestampMs,
  kEndUs,
  kDurationMs,
  kPctTotal,
  kNodeId,
  kParentId,
  kRunIndex,
  kBlock,
  kCount,
  kTotalMs,
  kAvgMs,
};
inline constexpr std::size_t kFieldCount = 16;

struct ColumnName {
  std::string_view text;
  Field field;
};

inline constexpr std::array<ColumnName, 15> kTimelineColumns = {{
    {"model_id", Field::kModelId},
    {"name", Field::kName},
    {"type", Field::kType},
    {"op_type", Field::kType},
    {"delegate_backend", Field::kBackend},
    {"backend", Field::kBackend},
    {"start_us", Field::kStartUs},
    {"timestamp_ms", Field::kTimestampMs},
    {"end_us", Field::kEndUs},
    {"duration_ms", Field::kDurationMs},
    {"pct_total", Field::kPctTotal},
    {"node_id", Field::kNodeId},
    {"parent_id", Field::kParentId},
    {"run_index", Field::kRunIndex},
    {"block", Field::kBlock},
}};

inline constexpr std::array<ColumnName, 10> kOpsStatsColumns = {{
    {"model_id", Field::kModelId},
    {"name", Field::kName},
    {"type", Field::kType},
    {"op_type", Field::kType},
    {"delegate_backend", Field::kBackend},
    {"backend", Field::kBackend},
    {"count", Field::kCount},
    {"total_ms", Field::kTotalMs},
    {"avg_ms", Field::kAvgMs},
    {"pct_total", Field::kPctTotal},
}};

struct ExtraColumn {
  std::size_t position;
  std::string name;
};

struct Header {
  static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

  std::array<std::size_t, kFieldCount> positions = {};
  std::vector<ExtraColumn> extras;  // columns that no field claims
  std::size_t columns = 0;

  std::size_t position(Field field) const { return positions[static_cast<std::size_t>(field)]; }
  bool has(Field field) const { return position(field) != kAbsent; }
  std::string_view cell(std::span<const std::string_view> row, Field field) const {
    const std::size_t at = position(field);
    return at < row.size() ? row[at] : std::string_view{};
  }
};

// Of two columns for one field the first counts and the other is an extra.
Header read_header(std::span<const std::string_view> cells, std::span<const ColumnName> names);

// An error that names what is missing and what was found, or success.
base::Status check_timeline_header(const Header& header, std::span<const std::string_view> cells,
                                   const std::string& file);
base::Status check_ops_stats_header(const Header& header, std::span<const std::string_view> cells,
                                    const std::string& file);

}  // namespace accelscope::formats::timeline_csv
