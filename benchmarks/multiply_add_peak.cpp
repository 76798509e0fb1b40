#include "multiply_add_peak.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "multiply_add_peak.cpp"
#include <hwy/foreach_target.h>
// It must come behind the one above, which includes this file once for every kind of processor.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace accelscope::benchmarks::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Twelve sums at once hide the latency of each.
Peak multiply_add_here(std::uint64_t rounds) {
  constexpr std::size_t kSums = 12;
  const hn::ScalableTag<float> d;
  hn::Vec<decltype(d)> sums[kSums];
  for (auto& sum : sums) sum = hn::Set(d, 0.5F);
  const auto factor = hn::Set(d, 0.999F);
  const auto added = hn::Set(d, 0.001F);
  for (std::uint64_t i = 0; i < rounds; ++i)
    for (auto& sum : sums) sum = hn::Add(hn::Mul(sum, factor), added);
  auto total = hn::Zero(d);
  for (const auto& sum : sums) total = hn::Add(total, sum);
  return {rounds * kSums * hn::Lanes(d) * 2, hn::GetLane(hn::SumOfLanes(d, total))};
}

}  // namespace accelscope::benchmarks::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accelscope::benchmarks {

HWY_EXPORT(multiply_add_here);

Peak multiply_add(std::uint64_t rounds) {
  return HWY_DYNAMIC_DISPATCH(multiply_add_here)(rounds);
}

}  // namespace accelscope::benchmarks
#endif
