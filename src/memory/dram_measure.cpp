#include "memory/dram_measure.h"

#include <fmt/core.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/hash.h"
#include "base/human.h"
#include "base/number_in.h"
#include "base/splitmix.h"
#include "memory/address_map.h"
#include "memory/dram.h"
#include "memory/ticks.h"

namespace accelscope::memory {
namespace {

using base::ErrorCode;
using base::Picoseconds;

constexpr std::uint32_t kMostCount = 1U << 20U;
// More than a controller can hold, so that its queues are never empty for want of requests.
constexpr std::uint32_t kWaitingBeyondQueues = 64;
constexpr std::uint64_t kProgressEvery = 1U << 16U;

// One channel's requests, as they come.
class Source {
 public:
  Source(const AddressMap& map, std::uint32_t channel, const DramLoad& load, std::uint64_t bursts,
         std::uint64_t requests, std::int64_t burst_bytes)
      : map_(&map),
        channel_(channel),
        sequence_(load.pattern, bursts, load.seed + channel * base::kSplitmixStep),
        share_(load.write_percent / 100),
        left_(requests),
        burst_bytes_(burst_bytes) {}

  bool empty() const { return left_ == 0; }
  Request next(Picoseconds arrival) {
    --left_;
    const auto before = static_cast<std::uint64_t>(static_cast<double>(sent_) * share_);
    ++sent_;
    const bool write = static_cast<std::uint64_t>(static_cast<double>(sent_) * share_) > before;
    const std::uint64_t burst = map_->burst_of(channel_, sequence_.next());
    return {.address = burst * static_cast<std::uint64_t>(burst_bytes_),
            .size = {burst_bytes_},
            .access = write ? Access::kWrite : Access::kRead,
            .arrival = arrival};
  }

 private:
  const AddressMap* map_;
  std::uint32_t channel_;
  AddressSequence sequence_;
  double share_;
  std::uint64_t left_;
  std::uint64_t sent_ = 0;
  std::int64_t burst_bytes_;
};

// Between two requests of a channel.
base::Int128 gap_of(const DramPreset& preset, const DramLoad& load) {
  if (load.offered <= 0) return base::Int128{load.gap.value} * preset.clock_femtoseconds;
  const double burst = static_cast<double>(preset.ticks(preset.times.bus) * preset.tick_femtoseconds());
  return static_cast<std::int64_t>(burst / preset.organisation.pseudo_channels / load.offered);
}

class Measuring {
 public:
  Measuring(const DramPreset& preset, const DramOptions& options, const DramLoad& load, Timing& memory)
      : load_(load),
        memory_(memory),
        map_(preset, {options.channels, options.map, options.hash_rows}),
        gap_femtoseconds_(gap_of(preset, load)) {
    const std::int64_t burst_bytes = preset.burst_bytes().value;
    const std::uint64_t bursts = static_cast<std::uint64_t>(load.span.value / burst_bytes) / options.channels;
    for (std::uint32_t i = 0; i < options.channels; ++i)
      sources_.emplace_back(map_, i, load, bursts,
                            load.requests / options.channels + (i < load.requests % options.channels ? 1 : 0),
                            burst_bytes);
  }

  // False when it was stopped.
  bool run(std::uint32_t waiting) {
    for (std::uint32_t i = 0; i < waiting; ++i)
      for (std::uint32_t channel = 0; channel < sources_.size(); ++channel) submit(channel);
    while (const auto completion = memory_.next(Picoseconds::max())) {
      last_ = completion->time;
      ++done_;
      const auto found = channels_.find(completion->sequence);
      const std::uint32_t channel = found->second;
      channels_.erase(found);
      if (done_ % kProgressEvery == 0 && load_.progress && !load_.progress(done_)) return false;
      submit(channel);
    }
    return true;
  }
  Picoseconds last() const { return last_; }
  std::uint64_t done() const { return done_; }

 private:
  void submit(std::uint32_t channel) {
    Source& source = sources_[channel];
    if (source.empty()) return;
    Picoseconds arrival = memory_.now();
    if (gap_femtoseconds_ > 0) {
      std::uint64_t& sent = sent_of_channel_[channel];
      arrival = {base::floor_divide(base::Int128{static_cast<std::int64_t>(sent)} * gap_femtoseconds_, 1000)};
      ++sent;
    }
    channels_[memory_.submit(source.next(arrival))] = channel;
  }

  const DramLoad& load_;
  Timing& memory_;
  AddressMap map_;
  base::Int128 gap_femtoseconds_;
  std::vector<Source> sources_;
  std::vector<std::uint64_t> sent_of_channel_ = std::vector<std::uint64_t>(1024);
  tsl::robin_map<Sequence, std::uint32_t, base::IntegerHash> channels_;
  Picoseconds last_{};
  std::uint64_t done_ = 0;
};

base::Status check(const DramPreset& preset, const DramOptions& options, const DramLoad& load) {
  if (!(load.write_percent >= 0 && load.write_percent <= 100))
    return base::fail(ErrorCode::kUsage, "{} % of writes: expected 0 to 100", load.write_percent);
  if (!(load.offered == 0 || (load.offered >= 1e-6 && load.offered <= 1)))
    return base::fail(ErrorCode::kUsage, "an offered load of {} of the peak: expected 0 to 1", load.offered);
  if (load.requests == 0) return base::fail(ErrorCode::kUsage, "no requests: expected 1 or more");
  const std::int64_t capacity = preset.channel_capacity().value * options.channels;
  if (load.span.value > capacity)
    return base::fail(ErrorCode::kUsage, "a span of {} is larger than {} of {} channels, which holds {}",
                      base::format_size(load.span), preset.name, options.channels,
                      base::format_size({capacity}));
  const std::int64_t least = preset.burst_bytes().value * options.channels * load.pattern.count;
  if (load.span.value < least)
    return base::fail(
        ErrorCode::kUsage, "a span of {} is too small for `{}` over {} channels: expected {} at least",
        base::format_size(load.span), to_string(load.pattern), options.channels, base::format_size({least}));
  // The last request arrives within the range of picoseconds, with room for its answer.
  const base::Int128 most = base::Int128{base::Picoseconds::max().value} / 4 * 1000;
  if (load.gap.value < 0 ||
      base::Int128{load.gap.value} * preset.clock_femtoseconds >
          most / static_cast<std::int64_t>(std::min<std::uint64_t>(load.requests, INT64_MAX)))
    return base::fail(ErrorCode::kUsage, "a gap of {} clocks between {} requests overflows the clock",
                      load.gap.value, load.requests);
  return {};
}

}  // namespace

base::Result<Pattern> pattern_of(std::string_view text) {
  if (text == "stream") return Pattern{Pattern::Kind::kStream, 1};
  if (text == "random") return Pattern{Pattern::Kind::kRandom, 1};
  const bool blocks = text.starts_with("blk");
  if (blocks || text.starts_with("str")) {
    const auto count = base::number_in<std::uint32_t>(text.substr(3));
    if (count && *count >= 1 && *count <= kMostCount)
      return Pattern{blocks ? Pattern::Kind::kBlocks : Pattern::Kind::kStreams, *count};
  }
  return base::fail(ErrorCode::kUsage,
                    "there is no pattern `{}`: stream, random, blkK (random blocks of K bursts), strK (K "
                    "interleaved streams), with K from 1 to {}",
                    text, kMostCount);
}

std::string to_string(const Pattern& pattern) {
  switch (pattern.kind) {
    case Pattern::Kind::kStream:
      return "stream";
    case Pattern::Kind::kRandom:
      return "random";
    case Pattern::Kind::kBlocks:
      return fmt::format("blk{}", pattern.count);
    case Pattern::Kind::kStreams:
      break;
  }
  return fmt::format("str{}", pattern.count);
}

AddressSequence::AddressSequence(const Pattern& pattern, std::uint64_t bursts, std::uint64_t seed)
    : pattern_(pattern), bursts_(std::max<std::uint64_t>(1, bursts)), state_(base::splitmix(seed)) {}

std::uint64_t AddressSequence::random() {
  state_ += base::kSplitmixStep;
  return base::splitmix(state_);
}

std::uint64_t AddressSequence::next() {
  const std::uint64_t index = index_++;
  switch (pattern_.kind) {
    case Pattern::Kind::kStream:
      return index % bursts_;
    case Pattern::Kind::kRandom:
      return random() % bursts_;
    case Pattern::Kind::kBlocks: {
      if (index % pattern_.count == 0) block_ = random() % (bursts_ / pattern_.count) * pattern_.count;
      return block_ + index % pattern_.count;
    }
    case Pattern::Kind::kStreams:
      break;
  }
  const std::uint64_t each = bursts_ / pattern_.count;
  return index % pattern_.count * each + index / pattern_.count % each;
}

base::Result<DramMeasurement> measure_dram(const DramPreset& preset, const DramOptions& options,
                                           const DramLoad& load, Fidelity fidelity) {
  DramOptions known = options;
  if (known.channels == 0) known.channels = preset.organisation.channels;
  ACCELSCOPE_TRY(const std::unique_ptr<Timing> memory, make_dram(preset, known, fidelity));
  ACCELSCOPE_CHECK(check(preset, known, load));
  Measuring measuring(preset, known, load, *memory);
  const std::uint32_t waiting = known.read_queue + known.write_queue +
                                preset.banks_per_pseudo_channel() * preset.organisation.pseudo_channels +
                                kWaitingBeyondQueues;
  DramMeasurement result;
  result.stopped = !measuring.run(waiting);
  result.statistics = memory->statistics().front();
  result.elapsed = measuring.last();
  result.requests = measuring.done();
  result.peak = preset.peak_bandwidth(known.channels);
  const double bytes = static_cast<double>(result.requests) * static_cast<double>(preset.burst_bytes().value);
  if (result.elapsed.value > 0)
    result.bandwidth = {static_cast<std::int64_t>(bytes * 1e12 / static_cast<double>(result.elapsed.value))};
  if (result.peak.value > 0)
    result.of_peak = static_cast<double>(result.bandwidth.value) / static_cast<double>(result.peak.value);
  const Histogram& latency = load.gap.value == 0 && load.offered <= 0 ? result.statistics.burst_latency
                                                                      : result.statistics.request_latency;
  const double tick = static_cast<double>(result.statistics.tick_femtoseconds) / 1000;
  result.clocks_of_tick = 1.0 / preset.ticks_per_clock;
  result.mean_latency = latency.mean() * tick;
  result.median_latency = static_cast<double>(latency.quantile(0.5)) * tick;
  result.p99_latency = static_cast<double>(latency.quantile(0.99)) * tick;
  return result;
}

}  // namespace accelscope::memory
