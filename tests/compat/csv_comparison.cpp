#include "compat/csv_comparison.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/csv.h"
#include "formats/timeline_csv/decimal_time.h"

namespace accelscope::compat {
namespace {

bool is_float_column(std::string_view name) {
  constexpr std::array<std::string_view, 6> kNames = {"start_us",  "end_us",   "duration_ms",
                                                      "pct_total", "total_ms", "avg_ms"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool close(std::string_view expected, std::string_view actual, double relative_error) {
  const auto a = formats::timeline_csv::parse_number(expected);
  const auto b = formats::timeline_csv::parse_number(actual);
  if (!a || !b) return expected == actual;
  return std::fabs(*a - *b) <= relative_error * std::max(std::fabs(*a), std::fabs(*b));
}

}  // namespace

std::string first_difference(std::string_view expected, std::string_view actual, double relative_error) {
  base::CsvReader want("expected", expected);
  base::CsvReader have("actual", actual);
  std::vector<std::string> header;
  while (want.next()) {
    if (!have.next()) return fmt::format("the file ends before line {}", want.line());
    if (want.cells().size() != have.cells().size()) return fmt::format("line {}: other columns", want.line());
    for (std::size_t i = 0; i < want.cells().size(); ++i) {
      const std::string_view left = want.cells()[i];
      const std::string_view right = have.cells()[i];
      const bool number = !header.empty() && is_float_column(header[i]);
      if (number ? close(left, right, relative_error) : left == right) continue;
      return fmt::format("line {}, column {}: expected '{}', got '{}'", want.line(), i + 1, left, right);
    }
    if (header.empty()) header.assign(want.cells().begin(), want.cells().end());
  }
  return have.next() ? fmt::format("line {} is too many", have.line()) : std::string();
}

}  // namespace accelscope::compat
