#include "memory/statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace accelscope::memory {

std::uint64_t Histogram::last_of(std::size_t bucket) {
  if (bucket < kExact) return bucket;
  const std::size_t octave = (bucket - kExact) / kPerOctave;
  const std::uint64_t within = (bucket - kExact) % kPerOctave + kPerOctave;
  return ((within + 1) << (octave + 1)) - 1;
}

void Histogram::add(const Histogram& other) {
  if (other.count_ == 0) return;
  if (other.buckets_.size() > buckets_.size()) buckets_.resize(other.buckets_.size());
  for (std::size_t i = 0; i < other.buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
  least_ = std::min(least_, other.least_);
  most_ = std::max(most_, other.most_);
  count_ += other.count_;
  sum_ += other.sum_;
}

std::int64_t Histogram::quantile(double share) const {
  if (count_ == 0) return 0;
  const double wanted = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(count_));
  const auto rank = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(wanted));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    if (seen >= rank) return std::min(most_, static_cast<std::int64_t>(last_of(i)));
  }
  return most_;
}

std::string_view name_of(Idle reason) {
  constexpr std::array<std::string_view, kIdleReasons> kNames{"no request", "row bus",    "activate window",
                                                              "refresh",    "turnaround", "bank conflict",
                                                              "bank group", "column bus"};
  return kNames[static_cast<std::size_t>(reason)];
}

void ChannelStatistics::add(const ChannelStatistics& other) {
  elapsed_ticks += other.elapsed_ticks;
  busy_ticks += other.busy_ticks;
  for (std::size_t i = 0; i < kIdleReasons; ++i) idle_ticks[i] += other.idle_ticks[i];
  reads += other.reads;
  writes += other.writes;
  row_hits += other.row_hits;
  row_misses += other.row_misses;
  row_conflicts += other.row_conflicts;
  activates += other.activates;
  precharges += other.precharges;
  refreshes += other.refreshes;
  forwarded_reads += other.forwarded_reads;
  merged_writes += other.merged_writes;
}

ChannelStatistics difference(const ChannelStatistics& later, const ChannelStatistics& earlier) {
  ChannelStatistics result = later;
  result.elapsed_ticks -= earlier.elapsed_ticks;
  result.busy_ticks -= earlier.busy_ticks;
  for (std::size_t i = 0; i < kIdleReasons; ++i) result.idle_ticks[i] -= earlier.idle_ticks[i];
  result.reads -= earlier.reads;
  result.writes -= earlier.writes;
  result.row_hits -= earlier.row_hits;
  result.row_misses -= earlier.row_misses;
  result.row_conflicts -= earlier.row_conflicts;
  result.activates -= earlier.activates;
  result.precharges -= earlier.precharges;
  result.refreshes -= earlier.refreshes;
  result.forwarded_reads -= earlier.forwarded_reads;
  result.merged_writes -= earlier.merged_writes;
  return result;
}

ChannelStatistics total(const std::vector<ChannelStatistics>& channels) {
  ChannelStatistics sum;
  for (const ChannelStatistics& channel : channels) sum.add(channel);
  return sum;
}

}  // namespace accelscope::memory
