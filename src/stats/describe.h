// Everything that can be said of one sample of run times, in run order.
//
// What too few runs cannot tell is empty. Values that are not finite are counted and left out, all else
// speaks of the others; without any, the plain numbers are not numbers. Nothing here throws. Pure function;
// safe from any thread. The result owns what it holds.
//
//   const Description latency = describe(latencies);
//   if (latency.p95) show("p95", *latency.p95); else show("p95", "n too small");
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/median_interval.h"
#include "stats/outliers.h"
#include "stats/shape.h"
#include "stats/trend.h"
#include "stats/warmup.h"

namespace accelscope::stats {

struct Description {
  std::size_t n = 0;
  std::size_t not_finite = 0;  // left out; positions below count what is left

  double mean = 0;
  double median = 0;
  double min = 0;
  double max = 0;
  std::optional<MedianInterval> median_interval;

  std::optional<double> standard_deviation;
  std::optional<double> coefficient_of_variation;
  double mad = 0;
  double mad_sigma = 0;
  double iqr = 0;

  std::optional<double> p90;  // from 10 runs on
  std::optional<double> p95;  // from 20 runs on
  std::optional<double> p99;  // from 100 runs on

  Outliers outliers;
  WarmUp warm_up;
  std::optional<double> lag1;
  double effective_count = 0;
  std::optional<Drift> drift;
  std::optional<Step> step;
  std::optional<Modes> modes;
  std::optional<SpikeSpacing> spike_spacing;
};

Description describe(std::span<const double> values, double level = 0.95);

}  // namespace accelscope::stats
