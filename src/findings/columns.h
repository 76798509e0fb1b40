// Columns of tables in few words.
//
// Pure functions, safe from any thread.
//
//   Table table{.id = "parts", .columns = {text_column("part", "Part"), whole_column("bytes", "Size",
//   "bytes")}};
#pragma once

#include <string>
#include <utility>

#include "findings/findings.h"

namespace accelscope::findings {

inline Column text_column(std::string id, std::string title) {
  return {.id = std::move(id), .title = std::move(title)};
}
inline Column whole_column(std::string id, std::string title, std::string unit = "") {
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

}  // namespace accelscope::findings
