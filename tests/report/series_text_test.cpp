#include "report/series_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace accelscope::report {
namespace {

using findings::Series;
using Lines = std::vector<std::string>;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

TEST(Sparkline, GoesFromTheLeastToTheLargest) {
  EXPECT_EQ(sparkline({1, 2, 3, 4, 5, 6, 7, 8}), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(sparkline({-1, 1}), "▁█");
  EXPECT_EQ(sparkline({5, 5, 5}), "▅▅▅");
  EXPECT_EQ(sparkline({1, kNotANumber, 2, kInfinite}), "▁·█·");
  EXPECT_EQ(sparkline({kNotANumber}), "·");
  EXPECT_EQ(sparkline({}), "");
  const double huge = std::numeric_limits<double>::max();
  EXPECT_EQ(sparkline({-huge, 0, huge}), "▁▅█");
}

TEST(SeriesText, DrawsLongRunsByTheLargestOfStretches) {
  Series series{.title = "runs", .unit = "ms", .values = std::vector<double>(800, 1.0)};
  series.values[799] = 9;  // alone in its stretch, and still seen
  series.values[5] = 5;
  const SeriesText text = series_text(series);
  EXPECT_EQ(text.caption, "runs: 800 values, each column the largest of about 10");
  std::string line = "▅";
  for (int i = 0; i < 78; ++i) line += "▁";
  EXPECT_EQ(text.picture, Lines{line + "█"});
  EXPECT_EQ(text.notes, Lines{"least 1.000 ms, largest 9.000 ms"});
  series.values.resize(80);
  EXPECT_EQ(series_text(series).caption, "runs");
}

TEST(SeriesText, ListsMarks) {
  Series series{.unit = "ticks", .x_title = "run", .values = {3, kNotANumber}};
  series.marks = {{0, "cold"}, {1, "no value"}, {99, "beyond"}};
  EXPECT_EQ(series_text(series).notes, (Lines{"least 3 ticks, largest 3 ticks", "run 0: cold (3 ticks)",
                                              "run 1: no value", "run 99: beyond"}));
  series.marks.resize(25);
  series.x_title = "";
  EXPECT_EQ(series_text(series).notes.size(), 12U);
  EXPECT_EQ(series_text(series).notes.back(), "… 15 more marks in the JSON form");
}

TEST(SeriesText, DrawsBars) {
  Series series{
      .unit = "%", .values = {50, 25, 0.01, 0, -5, kNotANumber}, .labels = {"a", "日本", "c", "d", "e", "f"}};
  EXPECT_EQ(series_text(series).picture, (Lines{"a     ████████████████████████████████████  50.0 %",
                                                "日本  ██████████████████                    25.0 %",
                                                "c     ▏                                     0.01 %",
                                                "d                                           0.0 %",
                                                "e                                           -5.0 %",
                                                "f                                           -"}));
}

TEST(SeriesText, DrawsFortyBars) {
  Series series{.values = std::vector<double>(100, 1.0), .labels = std::vector<std::string>(100, "x")};
  EXPECT_EQ(series_text(series).picture.size(), 40U);
  EXPECT_EQ(series_text(series).notes, Lines{"… 60 more in the JSON form"});
  series.labels.resize(99);  // not one per value: no bars
  EXPECT_EQ(series_text(series).picture.size(), 1U);
}

TEST(SeriesText, SaysWhenThereIsNothing) {
  EXPECT_EQ(series_text({}).notes, Lines{"no values"});
  EXPECT_EQ(series_text({.values = {kNotANumber}}).notes, Lines{"no values"});
  EXPECT_EQ(series_text({.values = {kNotANumber}}).picture, Lines{});
}

}  // namespace
}  // namespace accelscope::report
