#include "analysis/chip/core_tally.h"

#include <algorithm>

#include "trace/self_time.h"

namespace accelscope::analysis::chip {
namespace {

// Longest first; a heap with this order has the one to give up on top.
bool goes_before(const CoreGap& a, const CoreGap& b) {
  if (a.length() != b.length()) return a.length() > b.length();
  if (a.from != b.from) return a.from < b.from;
  return a.core < b.core;
}

}  // namespace

CoreTally::CoreTally(const trace::ChipRun& chip, Window window, std::uint32_t buckets) {
  time_.window = window;
  time_.cores.resize(chip.cores.size());
  time_.parts.resize(chip.cores.size());
  gaps_of_.resize(chip.cores.size());
  std::vector<std::string_view> names;
  for (const trace::ChipCore& core : chip.cores) names.push_back(core.engine);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const base::Int128 length = window.length().value;
  if (length > 0 && buckets > 0)
    for (std::uint32_t i = 0; i <= buckets; ++i)
      time_.bounds.push_back(window.from + Ticks{base::floor_divide(length * i, buckets)});
  for (const std::string_view name : names) {
    EngineTime& engine = time_.engines.emplace_back();
    engine.engine = name;
    if (!time_.bounds.empty()) engine.buckets.resize(buckets);
  }
  for (const trace::ChipCore& core : chip.cores) {
    const auto place = std::lower_bound(names.begin(), names.end(), core.engine);
    engine_of_.push_back(static_cast<std::uint32_t>(place - names.begin()));
    ++time_.engines[engine_of_.back()].cores;
  }
}

void CoreTally::add(const WaitPiece& piece) {
  trace::add_wrapping(time_.cores[piece.core][piece.why], piece.to - piece.from);
  if (!time_.bounds.empty()) add_to_buckets(piece, time_.engines[engine_of_[piece.core]].buckets);
}

void CoreTally::add_mix(const WaitPiece& piece) {
  if (time_.mix.empty()) {
    time_.mix.resize(time_.cores.size());
    for (EngineTime& engine : time_.engines) engine.mix_buckets.resize(engine.buckets.size());
  }
  trace::add_wrapping(time_.mix[piece.core][piece.why], piece.to - piece.from);
  if (!time_.bounds.empty()) add_to_buckets(piece, time_.engines[engine_of_[piece.core]].mix_buckets);
}

void CoreTally::add_to_buckets(const WaitPiece& piece, std::vector<ClassTimes>& buckets) {
  const std::vector<Ticks>& bounds = time_.bounds;
  if (piece.from < bounds[bucket_] || piece.from >= bounds[bucket_ + 1])
    bucket_ = static_cast<std::size_t>(std::upper_bound(bounds.begin(), bounds.end() - 1, piece.from) -
                                       bounds.begin()) -
              1;
  for (Ticks from = piece.from;;) {
    const Ticks to = std::min(piece.to, bounds[bucket_ + 1]);
    trace::add_wrapping(buckets[bucket_][piece.why], to - from);
    if (to == piece.to) return;
    from = to;
    ++bucket_;
  }
}

void CoreTally::add_gap(const CoreGap& gap) {
  std::vector<CoreGap>& gaps = time_.longest_gaps;
  if (gaps.size() == kLongestGaps) {
    if (!goes_before(gap, gaps.front())) return;
    std::pop_heap(gaps.begin(), gaps.end(), goes_before);
    --gaps_of_[gaps.back().core];
    gaps.pop_back();
  }
  ++gaps_of_[gap.core];
  gaps.push_back(gap);
  std::push_heap(gaps.begin(), gaps.end(), goes_before);
}

void CoreTally::add_late(const WaitPiece& piece) {
  add(piece);
  if (gaps_of_[piece.core] == 0) return;
  for (CoreGap& gap : time_.longest_gaps)
    if (gap.core == piece.core && gap.from <= piece.from && piece.to <= gap.to)
      gap.times[piece.why] += piece.to - piece.from;
}

CoreTime CoreTally::finish() && {
  for (std::size_t core = 0; core < time_.cores.size(); ++core)
    time_.engines[engine_of_[core]].times += time_.cores[core];
  for (std::size_t core = 0; core < time_.mix.size(); ++core)
    time_.engines[engine_of_[core]].mix += time_.mix[core];
  for (const EngineTime& engine : time_.engines) {
    time_.total += engine.times;
    time_.total_mix += engine.mix;
  }
  std::sort(time_.longest_gaps.begin(), time_.longest_gaps.end(), goes_before);
  return std::move(time_);
}

}  // namespace accelscope::analysis::chip
