// Columns of tables, each in a few words.
//
// Pure functions, safe from any thread; what they return belongs to the caller.
//
//   table.columns = {text_column("board", "Board"), count_column("cycles", "Cycles"),
//                    percent_column("share", "Share", 1)};
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "findings/findings.h"

namespace accelscope::findings {

inline Column text_column(std::string id, std::string title) {
  return {.id = std::move(id), .title = std::move(title)};
}

inline Column count_column(std::string id, std::string title, std::string unit = "") {
  return {
      .id = std::move(id), .title = std::move(title), .kind = ColumnKind::kInteger, .unit = std::move(unit)};
}

inline Column number_column(std::string id, std::string title, std::string unit, int decimals) {
  return {.id = std::move(id),
          .title = std::move(title),
          .kind = ColumnKind::kNumber,
          .unit = std::move(unit),
          .decimals = decimals};
}

inline Column percent_column(std::string id, std::string title, int decimals = 1) {
  return {.id = std::move(id), .title = std::move(title), .kind = ColumnKind::kPercent, .decimals = decimals};
}

// A count as a cell; beyond what a whole cell holds, the nearest number.
inline Cell whole_cell(std::uint64_t number) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
  if (number > kLargest) return static_cast<double>(number);
  return static_cast<std::int64_t>(number);
}

}  // namespace accelscope::findings
