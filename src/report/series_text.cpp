#include "report/series_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "report/number_text.h"
#include "report/plain_text.h"

namespace accelscope::report {
namespace {

using findings::Series;

constexpr std::size_t kSparklineWidth = 80;
constexpr std::size_t kBarsShown = 40;
constexpr std::size_t kMarksShown = 10;
constexpr std::size_t kLabelWidth = 28;
constexpr std::size_t kBarWidth = 36;

struct Bounds {
  double least = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  bool empty() const { return least > largest; }
};

Bounds bounds_of(const std::vector<double>& values) {
  Bounds bounds;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    bounds.least = std::min(bounds.least, value);
    bounds.largest = std::max(bounds.largest, value);
  }
  return bounds;
}

// The largest finite value of each of kSparklineWidth stretches.
std::vector<double> largest_of_stretches(const std::vector<double>& values) {
  std::vector<double> largest;
  for (std::size_t i = 0; i < kSparklineWidth; ++i) {
    const std::size_t from = i * values.size() / kSparklineWidth;
    const std::size_t to = (i + 1) * values.size() / kSparklineWidth;
    const Bounds bounds = bounds_of({values.begin() + static_cast<std::ptrdiff_t>(from),
                                     values.begin() + static_cast<std::ptrdiff_t>(to)});
    largest.push_back(bounds.empty() ? std::numeric_limits<double>::quiet_NaN() : bounds.largest);
  }
  return largest;
}

std::string value_with_unit(const Series& series, double value, const Bounds& bounds) {
  const double size = std::max(std::abs(bounds.least), std::abs(bounds.largest));
  int decimals = decimals_for(size, series.unit);
  // One whole value among fractions must not decide for all.
  for (const double bound : {bounds.least, bounds.largest, value})
    if (std::isfinite(bound)) decimals = std::max(decimals, decimals_for(bound, series.unit));
  return quantity_text(value, series.unit, decimals);
}

std::string bar(double value, double largest) {
  if (!(value > 0) || !(largest > 0)) return {};
  // Halved first: the quotient of two finite numbers is finite, their product may not be.
  const auto length = static_cast<std::size_t>(std::lround(value / largest * double{kBarWidth}));
  if (length == 0) return "▏";
  std::string text;
  for (std::size_t i = 0; i < std::min(length, kBarWidth); ++i) text += "█";
  return text;
}

void draw_bars(const Series& series, const Bounds& bounds, SeriesText& text) {
  const std::size_t count = std::min(series.values.size(), kBarsShown);
  std::vector<std::string> labels;
  std::size_t label_width = 0;
  std::size_t bar_width = 0;
  for (std::size_t i = 0; i < count; ++i) {
    labels.push_back(shortened(one_line(series.labels[i]), kLabelWidth));
    label_width = std::max(label_width, display_width(labels.back()));
    bar_width = std::max(bar_width, display_width(bar(series.values[i], bounds.largest)));
  }
  for (std::size_t i = 0; i < count; ++i)
    text.picture.push_back(fmt::format("{}  {}  {}", padded(labels[i], label_width, Align::kLeft),
                                       padded(bar(series.values[i], bounds.largest), bar_width, Align::kLeft),
                                       value_with_unit(series, series.values[i], bounds)));
  if (count < series.values.size())
    text.notes.push_back(fmt::format("… {} more in the JSON form", series.values.size() - count));
}

void draw_sparkline(const Series& series, const Bounds& bounds, SeriesText& text) {
  if (series.values.size() <= kSparklineWidth) {
    text.picture.push_back(sparkline(series.values));
  } else {
    text.picture.push_back(sparkline(largest_of_stretches(series.values)));
    text.caption +=
        fmt::format("{}{} values, each column the largest of about {}", text.caption.empty() ? "" : ": ",
                    series.values.size(), (series.values.size() + kSparklineWidth / 2) / kSparklineWidth);
  }
  text.notes.push_back(fmt::format("least {}, largest {}", value_with_unit(series, bounds.least, bounds),
                                   value_with_unit(series, bounds.largest, bounds)));
}

std::string mark_text(const Series& series, const findings::Mark& mark, const Bounds& bounds) {
  std::string text = fmt::format("{} {}: {}", series.x_title.empty() ? "position" : one_line(series.x_title),
                                 mark.position, one_line(mark.label));
  if (mark.position < series.values.size() && std::isfinite(series.values[mark.position]))
    text += fmt::format(" ({})", value_with_unit(series, series.values[mark.position], bounds));
  return text;
}

}  // namespace

std::string sparkline(const std::vector<double>& values) {
  constexpr std::array<std::string_view, 8> kLevels{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const Bounds bounds = bounds_of(values);
  std::string line;
  for (const double value : values) {
    if (!std::isfinite(value)) {
      line += "·";
      continue;
    }
    // In halves, because the distance of two finite numbers may not be finite.
    const double span = bounds.largest / 2 - bounds.least / 2;
    const double share = span > 0 ? (value / 2 - bounds.least / 2) / span : 0.5;
    line += kLevels[static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * 7))];
  }
  return line;
}

SeriesText series_text(const Series& series) {
  SeriesText text{.caption = one_line(series.title)};
  const Bounds bounds = bounds_of(series.values);
  if (bounds.empty()) {
    text.notes.emplace_back("no values");
    return text;
  }
  if (!series.labels.empty() && series.labels.size() == series.values.size())
    draw_bars(series, bounds, text);
  else
    draw_sparkline(series, bounds, text);
  for (std::size_t i = 0; i < std::min(series.marks.size(), kMarksShown); ++i)
    text.notes.push_back(mark_text(series, series.marks[i], bounds));
  if (series.marks.size() > kMarksShown)
    text.notes.push_back(fmt::format("… {} more marks in the JSON form", series.marks.size() - kMarksShown));
  return text;
}

}  // namespace accelscope::report
