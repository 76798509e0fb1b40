#include "report/number_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace accelscope::report {
namespace {

using findings::Cell;
using findings::ColumnKind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(NumberText, RoundsToTheDecimals) {
  EXPECT_EQ(number_text(0.26249, 3), "0.262");
  EXPECT_EQ(number_text(-2.5, 1), "-2.5");
  EXPECT_EQ(number_text(1234.5678, 0), "1235");
  EXPECT_EQ(number_text(0, 3), "0.000");
  EXPECT_EQ(number_text(-0.0, 3), "0.000");
  EXPECT_EQ(number_text(1, -4), "1");
  EXPECT_EQ(number_text(0.5, 1000), "0.500000000");
}

TEST(NumberText, NeverShowsSomethingAsZero) {
  EXPECT_EQ(number_text(0.00042, 3), "0.00042");
  EXPECT_EQ(number_text(0.0004, 3), "0.0004");
  EXPECT_EQ(number_text(-0.000042, 3), "-0.000042");
  EXPECT_EQ(number_text(0.3, 0), "0.3");
  EXPECT_EQ(number_text(0.0000004, 3), "<0.000001");
  EXPECT_EQ(number_text(-1e-300, 3), ">-0.000001");
  EXPECT_EQ(number_text(1e-300, 9), "<0.000000001");
  EXPECT_EQ(number_text(0.0000009, 3), "0.000001");
}

TEST(NumberText, StaysShort) {
  EXPECT_EQ(number_text(1e300, 3), "1e+300");
  EXPECT_EQ(number_text(-1.23456789e15, 3), "-1.23457e+15");
  EXPECT_EQ(number_text(999999999999999.0, 3), "999999999999999.000");
}

TEST(NumberText, WhatIsNotFiniteIsAbsent) {
  for (const double odd : {kInfinity, -kInfinity, kNan}) {
    EXPECT_EQ(number_text(odd, 3), "-");
    EXPECT_EQ(quantity_text(odd, "ms", 3), "-");
    EXPECT_EQ(cell_text(odd, {.kind = ColumnKind::kPercent}), "-");
    EXPECT_EQ(value_text({.value = odd, .unit = "ms"}), "-");
    EXPECT_EQ(interval_text({odd, 1, 0.95, ""}, 2), "[-, 1.00]");
    EXPECT_EQ(level_text(odd), "-");
    EXPECT_EQ(gain_text({.before = odd, .after = 1, .unit = "ms"}), "- -> 1.00 ms at most");
  }
}

TEST(NumberText, Quantities) {
  EXPECT_EQ(quantity_text(3.371, "x", 2), "3.37x");
  EXPECT_EQ(quantity_text(45.31, "%", 1), "45.3 %");
  EXPECT_EQ(quantity_text(2, "", 0), "2");
  EXPECT_EQ(quantity_text(2, "gigaparsecs", 0), "2 gigapar…");
  EXPECT_EQ(quantity_text(2, "a\nb", 0), "2 a b");
}

TEST(NumberText, MetricsHaveTheDecimalsOfTheirUnit) {
  const auto text = [](double value, std::string unit) {
    return value_text({.value = value, .unit = std::move(unit)});
  };
  EXPECT_EQ(text(0.262, "ms"), "0.262 ms");
  EXPECT_EQ(text(1, "ms"), "1.000 ms");
  EXPECT_EQ(text(1234.5678, "ms"), "1234.57 ms");
  EXPECT_EQ(text(123456.78, "ms"), "123456.8 ms");
  EXPECT_EQ(text(3, "x"), "3.00x");
  EXPECT_EQ(text(50, "%"), "50.0 %");
  EXPECT_EQ(text(1234567, "ticks"), "1234567 ticks");
  EXPECT_EQ(text(1.26, "ticks"), "1.3 ticks");
  EXPECT_EQ(text(7, ""), "7");
  EXPECT_EQ(text(7.5, ""), "7.500");
  EXPECT_EQ(text(0.00001, "ms"), "0.00001 ms");
  EXPECT_EQ(value_text({.value = std::nullopt, .unit = "ms"}), "-");
}

TEST(NumberText, CellsHaveTheDecimalsOfTheirColumn) {
  EXPECT_EQ(cell_text(Cell(), {}), "-");
  EXPECT_EQ(cell_text(std::string("a\x1b"), {}), "a\\x1b");
  EXPECT_EQ(cell_text(std::int64_t{-5}, {.kind = ColumnKind::kInteger}), "-5");
  EXPECT_EQ(cell_text(std::int64_t{5}, {.kind = ColumnKind::kPercent, .decimals = 1}), "5.0 %");
  EXPECT_EQ(cell_text(0.5, {.kind = ColumnKind::kNumber, .unit = "ms", .decimals = 2}), "0.50");
  EXPECT_EQ(cell_text(45.31, {.kind = ColumnKind::kPercent, .decimals = 1}), "45.3 %");
  EXPECT_EQ(cell_text(3.371, {.kind = ColumnKind::kRatio, .decimals = 2}), "3.37x");
}

TEST(NumberText, Gains) {
  EXPECT_EQ(gain_text({0.88, 0.71, "ms", "if it took no time at all"}),
            "0.88 ms -> 0.71 ms at most (if it took no time at all)");
  EXPECT_EQ(gain_text({0.2677, 0.2674, "ms", ""}), "0.268 ms -> 0.267 ms at most");
  EXPECT_EQ(gain_text({0.05, 0.04, "ms", ""}), "0.050 ms -> 0.040 ms at most");
  EXPECT_EQ(gain_text({100, 90, "ticks", ""}), "100 ticks -> 90 ticks at most");
}

TEST(NumberText, Levels) {
  EXPECT_EQ(level_text(0.95), "95 %");
  EXPECT_EQ(level_text(0.999), "99.9 %");
}

}  // namespace
}  // namespace accelscope::report
