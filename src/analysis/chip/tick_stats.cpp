#include "analysis/chip/tick_stats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "stats/quantile.h"
#include "trace/self_time.h"

namespace accelscope::analysis::chip {
namespace {

using Span = std::span<const std::uint32_t>;

// Below this many values a sort is faster than counting them by magnitude.
constexpr std::size_t kFewValues = 8192;
constexpr std::size_t kMagnitudes = std::size_t{1} << 16U;

// Finds single values of a sample by their rank without sorting it: values are counted by their leading bits,
// and only those that share them with the value wanted are looked at again.
class RankedValues {
 public:
  explicit RankedValues(std::vector<Span> spans) : spans_(std::move(spans)) {
    std::uint32_t max = 0;
    for (const Span span : spans_) {
      count_ += span.size();
      for (const std::uint32_t value : span) max = std::max(max, value);
    }
    if (count_ < kFewValues) {
      sort_all();
      return;
    }
    while ((max >> shift_) >= kMagnitudes) ++shift_;
    counts_.assign(kMagnitudes, 0);
    for (const Span span : spans_)
      for (const std::uint32_t value : span) ++counts_[value >> shift_];
  }

  std::size_t count() const { return count_; }

  std::uint32_t at(std::size_t rank) {
    if (counts_.empty()) return values_[rank];
    std::size_t before = 0;
    std::size_t magnitude = 0;
    while (before + counts_[magnitude] <= rank) before += counts_[magnitude++];
    if (shift_ == 0) return static_cast<std::uint32_t>(magnitude);
    if (magnitude != gathered_) gather(magnitude);
    const auto wanted = values_.begin() + static_cast<std::ptrdiff_t>(rank - before);
    std::nth_element(values_.begin(), wanted, values_.end());
    return *wanted;
  }

 private:
  void sort_all() {
    values_.reserve(count_);
    for (const Span span : spans_) values_.insert(values_.end(), span.begin(), span.end());
    std::sort(values_.begin(), values_.end());
  }

  void gather(std::size_t magnitude) {
    gathered_ = magnitude;
    values_.clear();
    values_.reserve(counts_[magnitude]);
    for (const Span span : spans_)
      for (const std::uint32_t value : span)
        if (value >> shift_ == magnitude) values_.push_back(value);
  }

  std::vector<Span> spans_;
  std::size_t count_ = 0;
  unsigned shift_ = 0;
  std::vector<std::uint32_t> counts_;  // a trace has fewer rows than 2^32
  std::size_t gathered_ = std::numeric_limits<std::size_t>::max();
  std::vector<std::uint32_t> values_;
};

}  // namespace

void TickSum::add(Ticks length) {
  if (length < Ticks{0}) {
    ++negative;
    return;
  }
  ++n;
  trace::add_wrapping(total, length);
}

void TickSum::add(const TickSum& other) {
  n += other.n;
  negative += other.negative;
  trace::add_wrapping(total, other.total);
}

void TickSample::add(Ticks length) {
  sum_.add(length);
  if (length < Ticks{0}) return;
  max_ = std::max(max_, length);
  if (length.value <= std::numeric_limits<std::uint32_t>::max())
    narrow_.push_back(static_cast<std::uint32_t>(length.value));
  else
    wide_.push_back(length.value);
}

TickStats TickSample::stats() const {
  const TickSample* const self = this;
  return stats_of_all({&self, 1});
}

TickStats stats_of_all(std::span<const TickSample* const> samples) {
  TickStats result;
  std::vector<Span> spans;
  std::vector<std::int64_t> wide;
  for (const TickSample* sample : samples) {
    result.add(sample->sum_);
    result.max = std::max(result.max, sample->max_);
    spans.emplace_back(sample->narrow_);
    wide.insert(wide.end(), sample->wide_.begin(), sample->wide_.end());
  }
  if (result.n == 0) return result;
  std::sort(wide.begin(), wide.end());
  RankedValues narrow(std::move(spans));
  const auto value_at = [&](std::size_t rank) {
    return static_cast<double>(rank < narrow.count() ? std::int64_t{narrow.at(rank)}
                                                     : wide[rank - narrow.count()]);
  };
  // The two neighbours of a quantile's position are a sample of their own.
  const auto quantile = [&](double q) {
    const double position = static_cast<double>(result.n - 1) * q;
    const double below = std::floor(position);
    const auto rank = static_cast<std::size_t>(below);
    if (position == below) return value_at(rank);
    const std::array<double, 2> neighbours = {value_at(rank), value_at(rank + 1)};
    return stats::quantile(neighbours, position - below);
  };
  result.p50 = quantile(0.5);
  result.p90 = quantile(0.9);
  result.p99 = quantile(0.99);
  return result;
}

}  // namespace accelscope::analysis::chip
