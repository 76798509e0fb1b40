// What holds the end-to-end time back now: what is large, what should not be there, and what should be
// faster.
//
// Every row carries Amdahl's bound: the end-to-end time if it took no time at all. Pure function; plain data.
//
//   for (const Bottleneck& row : bottlenecks_of(method, breakdown, &comparison, {})) use(row.subject,
//   row.without);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compare.h"

namespace accelscope::analysis {

struct Thresholds {
  double operator_percent = 5;        // an operator above this share of end-to-end time
  double data_movement_percent = 10;  // all data movement together
  double outside_percent = 5;         // an operator type outside every delegate
  double low_speedup = 3;             // GEMM and convolution below this
};

enum class BottleneckKind : std::uint8_t {
  kOutsideDelegate,
  kDataMovement,
  kLowSpeedup,
  kLargeOperator,
  kOverhead
};

struct Bottleneck {
  BottleneckKind kind = BottleneckKind::kLargeOperator;
  std::string subject = {};
  Category category = Category::kOther;
  double mean = 0;
  double percent = 0;
  double without = 0;                            // end-to-end time if it vanished
  double speedup_without = 1;                    // how much faster that would be
  std::optional<double> speedup = std::nullopt;  // measured, for kLowSpeedup
  std::string expected = {};                     // "3-15x", for kLowSpeedup
  std::uint32_t entry = 0;
};

// In the order of the kinds, largest first within each. `comparison` may be nullptr.
std::vector<Bottleneck> bottlenecks_of(const MethodProfile& method, const Breakdown& breakdown,
                                       const MethodComparison* comparison, const Thresholds& thresholds);

// What to look at when compute did not get faster, in this order.
inline constexpr std::string_view kLowSpeedupChecks =
    "check the device (does the CPU have the feature?), the build (was the feature compiled in?), the data "
    "type and "
    "quantisation (is there a kernel for it?), and the delegation (does the operator run in the delegate at "
    "all?)";

}  // namespace accelscope::analysis
