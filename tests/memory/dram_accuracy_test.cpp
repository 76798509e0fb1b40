// The event-driven DRAM against Ramulator 2.1, as measured on the same loads: 300 000 requests over 2 GiB,
// queues of 32 that are kept full, open pages.
#include <gtest/gtest.h>

#include "memory/dram_closed_form.h"
#include "memory/dram_measure.h"
#include "memory/dram_preset_file.h"

namespace accelscope::memory {
namespace {

DramMeasurement measured(const char* preset, const char* pattern, MapKind map,
                         RefreshKind refresh = RefreshKind::kAllBank, double write_percent = 0) {
  const auto result = measure_dram(*load_dram_preset(preset), {.map = map, .refresh = refresh},
                                   {.pattern = *pattern_of(pattern), .write_percent = write_percent});
  EXPECT_TRUE(result) << result.error().to_string();
  return *result;
}

constexpr MapKind kMop = MapKind::kMop4ClXor;
constexpr MapKind kRows = MapKind::kRoBaRaCoCh;

struct Point {
  const char* preset;
  const char* pattern;
  MapKind map;
  double gigabytes_per_second;
  double latency;  // mean, in ticks; 0: not given
  double bandwidth_tolerance = 0.03;
};

class AgainstRamulator : public testing::TestWithParam<Point> {};

TEST_P(AgainstRamulator, BandwidthAndLatency) {
  const Point& point = GetParam();
  const DramMeasurement result = measured(point.preset, point.pattern, point.map);
  EXPECT_EQ(result.requests, 300'000U);
  EXPECT_NEAR(static_cast<double>(result.bandwidth.value) * 1e-9, point.gigabytes_per_second,
              point.gigabytes_per_second * point.bandwidth_tolerance);
  if (point.latency > 0) {
    EXPECT_NEAR(result.statistics.burst_latency.mean(), point.latency, point.latency * 0.05);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Measured, AgainstRamulator,
    testing::Values(
        Point{"hbm2", "stream", kMop, 224.8, 53.1}, Point{"hbm2", "random", kMop, 77.1, 137.0},
        Point{"hbm2", "stream", kRows, 129.8, 79.6}, Point{"hbm3", "stream", kMop, 681.5, 124.0},
        Point{"hbm3", "random", kMop, 236.9, 328.7}, Point{"ddr3-1600", "stream", kRows, 12.32, 0},
        Point{"ddr3-1600", "random", kMop, 6.16, 0}, Point{"ddr3-1600", "stream", kMop, 11.93, 156.1, 0.04},
        Point{"ddr4-2400", "stream", kMop, 17.93, 0}, Point{"ddr4-2400", "random", kMop, 11.22, 0},
        Point{"hbm2", "str4", kMop, 93.4, 0}, Point{"hbm2", "str16", kMop, 22.5, 0},
        Point{"hbm2", "blk16", kMop, 176.3, 0}, Point{"hbm2", "blk4", kMop, 76, 0}));

struct Efficiency {
  const char* preset;
  const char* pattern;
  MapKind map;
  RefreshKind refresh;
  double write_percent;
  double least, most;  // per cent of peak, as measured
};

class EfficiencyOfRamulator : public testing::TestWithParam<Efficiency> {};

TEST_P(EfficiencyOfRamulator, WithinTwoPoints) {
  const Efficiency& point = GetParam();
  const DramMeasurement result =
      measured(point.preset, point.pattern, point.map, point.refresh, point.write_percent);
  EXPECT_GE(result.of_peak * 100, point.least - 2);
  EXPECT_LE(result.of_peak * 100, point.most + 2);
}

constexpr RefreshKind kNone = RefreshKind::kNone;
constexpr RefreshKind kAll = RefreshKind::kAllBank;
constexpr double kThird = 100.0 / 3;

INSTANTIATE_TEST_SUITE_P(Reads, EfficiencyOfRamulator,
                         testing::Values(Efficiency{"ddr3-1600", "stream", kMop, kAll, 0, 93, 96},
                                         Efficiency{"ddr3-1600", "stream", kMop, kNone, 0, 97, 100},
                                         Efficiency{"ddr3-1600", "stream", kRows, kAll, 0, 96, 96},
                                         Efficiency{"ddr3-1600", "random", kMop, kAll, 0, 48, 48},
                                         Efficiency{"ddr3-1600", "random", kMop, kNone, 0, 50.0, 50.0},
                                         Efficiency{"ddr4-2400", "stream", kMop, kAll, 0, 93, 93},
                                         Efficiency{"ddr4-2400", "stream", kMop, kNone, 0, 98, 98},
                                         Efficiency{"ddr4-2400", "stream", kRows, kAll, 0, 75, 75},
                                         Efficiency{"ddr4-2400", "random", kMop, kAll, 0, 58, 58},
                                         Efficiency{"ddr4-2400", "random", kMop, kNone, 0, 61.6, 61.6},
                                         Efficiency{"hbm2", "stream", kMop, kAll, 0, 88, 88},
                                         Efficiency{"hbm2", "stream", kMop, kNone, 0, 97, 97},
                                         Efficiency{"hbm2", "stream", kRows, kAll, 0, 51, 51},
                                         Efficiency{"hbm2", "random", kMop, kAll, 0, 30, 30},
                                         Efficiency{"hbm2", "random", kMop, kNone, 0, 33.2, 33.2},
                                         Efficiency{"hbm3", "stream", kMop, kAll, 0, 83, 83},
                                         Efficiency{"hbm3", "stream", kMop, kNone, 0, 91, 91},
                                         Efficiency{"hbm3", "stream", kRows, kAll, 0, 42, 42},
                                         Efficiency{"hbm3", "random", kMop, kAll, 0, 29, 29},
                                         Efficiency{"hbm3", "random", kMop, kNone, 0, 32.1, 32.1}));

INSTANTIATE_TEST_SUITE_P(Writes, EfficiencyOfRamulator,
                         testing::Values(Efficiency{"ddr3-1600", "stream", kMop, kAll, 20, 92, 92},
                                         Efficiency{"ddr3-1600", "stream", kMop, kAll, kThird, 89, 89},
                                         Efficiency{"ddr3-1600", "stream", kMop, kAll, 50, 86, 86},
                                         Efficiency{"ddr4-2400", "stream", kMop, kAll, 20, 89, 89},
                                         Efficiency{"ddr4-2400", "stream", kMop, kAll, kThird, 86, 86},
                                         Efficiency{"ddr4-2400", "stream", kMop, kAll, 50, 82, 82},
                                         Efficiency{"hbm2", "stream", kMop, kAll, 20, 71, 71},
                                         Efficiency{"hbm2", "stream", kMop, kAll, kThird, 63, 63},
                                         Efficiency{"hbm2", "stream", kMop, kAll, 50, 56, 56},
                                         Efficiency{"hbm3", "stream", kMop, kAll, 20, 63, 63},
                                         Efficiency{"hbm3", "stream", kMop, kAll, kThird, 55, 55},
                                         Efficiency{"hbm3", "stream", kMop, kAll, 50, 48, 48}));

// ---- formulas ----

TEST(ClosedForm, RandomAccessWithinTwoPointsOfRamulator) {
  const auto share = [](const char* preset) {
    return closed_form_efficiency(*load_dram_preset(preset), TrafficShape::kRandom, {}, RefreshKind::kNone) *
           100;
  };
  EXPECT_NEAR(share("ddr3-1600"), 50.0, 2);
  EXPECT_NEAR(share("ddr4-2400"), 61.6, 2);
  EXPECT_NEAR(share("hbm2"), 33.2, 2);
  EXPECT_NEAR(share("hbm3"), 32.1, 2);
}

TEST(ClosedForm, RefreshWithinTwoPointsOfRamulator) {
  const auto share = [](const char* preset) {
    return 100 * refresh_factor(*load_dram_preset(preset), RefreshKind::kAllBank);
  };
  EXPECT_NEAR(share("ddr3-1600"), 96.5, 0.1);
  EXPECT_NEAR(share("ddr4-2400"), 95.2, 0.1);
  EXPECT_NEAR(share("hbm2"), 90.7, 0.1);
  EXPECT_NEAR(share("hbm3"), 90.6, 0.1);
}

TEST(ClosedForm, OneRowAfterTheOtherKeepsToOneBankGroup) {
  const auto share = [](const char* preset) {
    return 100 * closed_form_efficiency(*load_dram_preset(preset), TrafficShape::kSequential, kRows,
                                        RefreshKind::kNone);
  };
  EXPECT_NEAR(share("hbm2"), 50, 0.1);
  EXPECT_NEAR(share("ddr3-1600"), 100, 0.1);
  EXPECT_NEAR(share("ddr4-2400"), 66.7, 0.1);
}

TEST(ClosedForm, TheMemoryDeliversWhatTheFormulasSay) {
  const auto share = [](const char* pattern) {
    return 100 * measure_dram(*load_dram_preset("hbm2"), {}, {.pattern = *pattern_of(pattern)},
                              Fidelity::kClosedForm)
                     ->of_peak;
  };
  EXPECT_NEAR(share("stream"), 90.7, 0.2);
  EXPECT_NEAR(share("random"), 30.2, 0.2);
}

TEST(ClosedForm, LatenciesOfAnIdleMemory) {
  const auto nanoseconds = [](const char* preset, RowState row) {
    return static_cast<double>(unloaded_read(*load_dram_preset(preset), row).value) * 1e-3;
  };
  EXPECT_NEAR(nanoseconds("hbm2", RowState::kHit), 17, 0.01);
  EXPECT_NEAR(nanoseconds("hbm2", RowState::kClosed), 31, 0.01);
  EXPECT_NEAR(nanoseconds("hbm2", RowState::kConflict), 45, 0.01);
  EXPECT_NEAR(nanoseconds("ddr4-2400", RowState::kHit), 17.5, 0.1);
  EXPECT_NEAR(nanoseconds("ddr4-2400", RowState::kClosed), 31, 0.2);
  EXPECT_NEAR(nanoseconds("ddr4-2400", RowState::kConflict), 44, 0.2);
  EXPECT_NEAR(nanoseconds("ddr3-1600", RowState::kHit), 20, 0.01);
  EXPECT_NEAR(nanoseconds("ddr3-1600", RowState::kClosed), 34, 0.3);
  EXPECT_NEAR(nanoseconds("ddr3-1600", RowState::kConflict), 47.5, 0.1);
  EXPECT_NEAR(nanoseconds("hbm3", RowState::kHit), 14.4, 0.1);
  EXPECT_NEAR(nanoseconds("hbm3", RowState::kClosed), 34, 0.3);
}

}  // namespace
}  // namespace accelscope::memory
