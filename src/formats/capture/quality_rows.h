// The columns of the table of Quality rows in a capture file: named once, for who writes and who reads them.
//
// Calls visit(name, get, set) for each, where get(row) gives a column's value of a QualityRow and set(row,
// value) puts it there. Pure; safe from any thread.
//
//   for_each_quality_column([&](std::string_view name, auto get, auto set) { ... });
#pragma once

#include <string_view>

#include "trace/quality.h"

namespace accelscope::formats::capture {

template <class Visit>
void for_each_quality_column(Visit&& visit) {
  using trace::QualityRow;
  const auto member = [&](std::string_view name, auto place) {
    visit(
        name, [place](const QualityRow& row) -> const auto& { return *place(&row); },
        [place](QualityRow& row, const auto& value) { *place(&row) = value; });
  };
  member("id", [](auto* row) { return &row->id; });
  member("severity", [](auto* row) { return &row->severity; });
  member("sentence", [](auto* row) { return &row->sentence; });
  member("count", [](auto* row) { return &row->count; });
  member("file", [](auto* row) { return &row->first_place.file; });
  member("place", [](auto* row) { return &row->first_place.kind; });
  member("position", [](auto* row) { return &row->first_place.position; });
}

}  // namespace accelscope::formats::capture
