#include "memory/event_dram.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "memory/completion_calendar.h"
#include "memory/dram_channel.h"
#include "memory/ticks.h"

namespace accelscope::memory {
namespace {

using base::ErrorCode;
using base::Picoseconds;

// A request under way. Of one with many bursts `Times` knows more.
struct Run {
  Sequence sequence = 0;
  std::uint64_t left = 0;  // bursts that are not done
  std::int64_t arrival = 0;
  bool write = false;
  bool many = false;
};
// When the bursts of a run were done, so far.
struct Times {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

class EventDram final : public Timing {
 public:
  EventDram(const DramPreset& preset, const DramOptions& options, std::span<const DramConstraint> constraints)
      : preset_(preset),
        options_(options),
        clock_(preset.tick_femtoseconds()),
        map_(preset, {options.channels, options.map, options.hash_rows}),
        burst_bytes_(static_cast<std::uint64_t>(preset.burst_bytes().value)),
        burst_shift_(std::countr_zero(burst_bytes_)) {
    for (std::uint32_t i = 0; i < options.channels; ++i)
      channels_.emplace_back(preset, options, map_, constraints, i, cache_);
    find_head_start();
  }

  Sequence submit(const Request& request) override;
  std::optional<Completion> next(Picoseconds limit) override;
  Picoseconds now() const override { return now_; }
  base::Bytes capacity() const override {
    return {preset_.channel_capacity().value * std::int64_t{options_.channels}};
  }
  std::vector<ModelStatistics> statistics() const override;
  void add_activity(Activity& activity) const override {
    for (const DramChannel& channel : channels_)
      activity.channels.push_back(
          clock_.time_of(channel.busy_ticks() / preset_.organisation.pseudo_channels));
  }

 private:
  // Many come and many are done at the same time; dividing once is enough.
  std::int64_t arrival_tick(Picoseconds time) {
    if (time != last_arrival_) {
      last_arrival_ = time;
      last_arrival_tick_ = clock_.first_tick_from(time);
    }
    return last_arrival_tick_;
  }
  Picoseconds done_time(std::int64_t tick) {
    if (tick != last_done_tick_) {
      last_done_tick_ = tick;
      last_done_ = clock_.time_of(tick) + options_.controller_latency;
    }
    return last_done_;
  }
  // What all pieces of a request have in common.
  struct Common {
    bool write;
    bool posted;
    std::int64_t arrival;
  };
  void split(std::uint32_t index, const Common& common, std::uint64_t first, std::uint64_t count);
  std::uint32_t free_run();
  // Lets all channels do what they can in the next stretch of time; false when nothing is left to do before
  // the next completion that is known.
  bool advance(std::int64_t last);
  std::int64_t shortest_run() const;
  void find_head_start();
  void take_finished();
  std::optional<Completion> take_done();

  DramPreset preset_;
  DramOptions options_;
  TickClock clock_;
  AddressMap map_;
  std::uint64_t burst_bytes_;  // a power of two
  int burst_shift_;
  DramRunCache cache_;  // of all channels
  std::vector<DramChannel> channels_;
  std::vector<Run> runs_;
  std::vector<Times> times_;  // of every run
  std::vector<std::uint32_t> free_;
  CompletionCalendar done_;
  std::vector<FinishedBurst> finished_;
  std::uint64_t writes_under_way_ = 0;
  // How long it takes at least from the next thing that happens until something is done: as long as a read.
  // While there are writes nothing, as they may be done, or answer a read, at once.
  std::int64_t head_start_ = 0;
  std::int64_t simulated_ = -1;  // all channels have done everything up to this tick
  Picoseconds now_{};
  Picoseconds last_arrival_{};
  std::int64_t last_arrival_tick_ = 0;
  std::int64_t last_done_tick_ = -1;
  Picoseconds last_done_{};
  Sequence next_sequence_ = 0;
  ModelStatistics statistics_;
};

Sequence EventDram::submit(const Request& request) {
  const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(1, request.size.value));
  const std::uint64_t first = request.address >> burst_shift_;
  // Without overflow at the end of all addresses.
  const std::uint64_t bursts = (((request.address & (burst_bytes_ - 1)) + size - 1) >> burst_shift_) + 1;
  const bool write = request.access == Access::kWrite;
  const std::uint32_t index = free_run();
  const std::int64_t arrival = std::max(arrival_tick(std::max(now_, request.arrival)), simulated_);
  Run& run = runs_[index];
  run.sequence = next_sequence_++;
  run.left = bursts;
  run.arrival = arrival;
  run.write = write;
  run.many = bursts > 1;
  if (run.many) times_[index] = {.first = TickClock::kNever, .last = 0};
  if (write) {
    ++writes_under_way_;
    head_start_ = 0;
  }
  count(statistics_.traffic, request, {static_cast<std::int64_t>(bursts * burst_bytes_)});
  const bool posted = write && request.posted;
  if (run.many) {
    split(index, {.write = write, .posted = posted, .arrival = arrival}, first, bursts);
  } else {
    const AddressMap::Local local = map_.channel_of(first);
    channels_[local.channel].submit(index, write, posted, local.burst, 1, arrival);
  }
  return next_sequence_ - 1;
}

std::uint32_t EventDram::free_run() {
  if (free_.empty()) {
    runs_.emplace_back();
    times_.emplace_back();
    return static_cast<std::uint32_t>(runs_.size() - 1);
  }
  const std::uint32_t index = free_.back();
  free_.pop_back();
  return index;
}

// A contiguous run is contiguous in every channel: channels change either with every burst or once.
void EventDram::split(std::uint32_t index, const Common& common, std::uint64_t first, std::uint64_t count) {
  const auto [write, posted, arrival] = common;
  if (map_.kind() != MapKind::kChRaBaRoCo) {
    const std::uint64_t channels = channels_.size();
    for (std::uint64_t i = 0; i < std::min(count, channels); ++i) {
      const AddressMap::Local local = map_.channel_of(first + i);
      channels_[local.channel].submit(index, write, posted, local.burst, (count - i - 1) / channels + 1,
                                      arrival);
    }
    return;
  }
  while (count > 0) {
    const AddressMap::Local local = map_.channel_of(first);
    const std::uint64_t here = std::min(count, map_.bursts_of_channel() - local.burst);
    channels_[local.channel].submit(index, write, posted, local.burst, here, arrival);
    first += here;
    count -= here;
  }
}

void EventDram::take_finished() {
  for (const FinishedBurst& burst : finished_) {
    Run& run = runs_[burst.run];
    Times times{.first = burst.tick, .last = burst.tick};
    run.left -= burst.count;
    if (run.many) {
      Times& known = times_[burst.run];
      times = known = {std::min(known.first, burst.tick), std::max(known.last, burst.tick)};
      if (run.left > 0) continue;
    }
    done_.put(times.last, run.sequence, times.first);
    statistics_.request_latency.add(times.last - run.arrival);
    if (run.write) --writes_under_way_;
    free_.push_back(burst.run);
  }
  finished_.clear();
}

// How long the run that is done first needs at least, when there are only few.
std::int64_t EventDram::shortest_run() const {
  constexpr std::size_t kFew = 16;
  if (runs_.size() > kFew) return 0;
  std::uint64_t least = ~std::uint64_t{0};
  for (const Run& run : runs_)
    if (run.left > 0) least = std::min(least, run.left);
  if (least == ~std::uint64_t{0}) return 0;
  const std::uint64_t at_once = channels_.size() * preset_.organisation.pseudo_channels;
  const std::uint64_t left = least / at_once;
  return left < 64 ? 0 : static_cast<std::int64_t>(left - 64) * preset_.ticks(preset_.times.bus);
}

bool EventDram::advance(std::int64_t last) {
  std::int64_t next = TickClock::kNever;
  for (DramChannel& channel : channels_) next = std::min(next, channel.next_event());
  if (next > last || next == TickClock::kNever) return false;
  // Whoever hears of what is done may have more to do then, so no channel may be there before.
  const bool known = !done_.empty();
  if (known && done_.next().tick <= last && done_.next().tick < next + head_start_) return false;
  std::int64_t stretch = std::max<std::int64_t>(0, head_start_ - 1);
  if (head_start_ > 0 && !known) stretch = std::max(stretch, shortest_run());
  const std::int64_t until = std::min(last, std::max(next, simulated_) + stretch);
  for (DramChannel& channel : channels_) channel.run_until(until, finished_);
  simulated_ = until;
  take_finished();
  find_head_start();
  return true;
}

void EventDram::find_head_start() {
  bool writes = writes_under_way_ > 0;
  for (const DramChannel& channel : channels_) writes = writes || channel.holds_writes();
  head_start_ = writes ? 0 : channels_.front().read_latency();
}

std::optional<Completion> EventDram::take_done() {
  const KnownCompletion& done = done_.next();
  std::optional<Completion> result;
  Completion& completion = result.emplace();
  completion.sequence = done.sequence;
  completion.time = done_time(done.tick);
  completion.first =
      done.first == done.tick ? completion.time : clock_.time_of(done.first) + options_.controller_latency;
  now_ = std::max(now_, completion.time);
  done_.drop();
  return result;
}

std::optional<Completion> EventDram::next(Picoseconds limit) {
  const Picoseconds inner =
      limit == Picoseconds::max() ? limit : Picoseconds{limit.value - options_.controller_latency.value};
  const std::int64_t last = clock_.last_tick_to(inner);
  do {
    if (!done_.empty() && done_.next().tick <= std::min(simulated_ + head_start_, last)) return take_done();
  } while (advance(last));
  if (!done_.empty() && done_.next().tick <= last) return take_done();
  if (limit != Picoseconds::max()) now_ = std::max(now_, limit);
  return std::nullopt;
}

std::vector<ModelStatistics> EventDram::statistics() const {
  ModelStatistics result = statistics_;
  result.name = preset_.name;
  std::int64_t end = 0;
  for (const DramChannel& channel : channels_) end = std::max(end, channel.busy_until());
  result.elapsed = std::max(now_, clock_.time_of(end));
  result.tick_femtoseconds = clock_.femtoseconds();
  for (const DramChannel& channel : channels_) {
    result.channels.push_back(channel.statistics(end));
    result.burst_latency.add(channel.burst_latency());
  }
  result.energy_picojoules =
      preset_.picojoules_per_bit * 8 * static_cast<double>(statistics_.traffic.bytes_moved.value);
  return {result};
}

base::Status check_share(double value, std::string_view what) {
  if (value >= 0 && value <= 1) return {};
  return base::fail(ErrorCode::kUsage, "the {} watermark {} is not from 0 to 1", what, value);
}

}  // namespace

base::Status check_options(const DramPreset& preset, const DramOptions& options) {
  if (preset.family == DramFamily::kReference)
    return base::fail(ErrorCode::kUsage, "{} is run by the reference's own controller, without these options",
                      preset.name);
  if (options.channels > 1024)
    return base::fail(ErrorCode::kUsage, "{} channels: expected 1 to 1024", options.channels);
  if (options.refresh == RefreshKind::kPerBank && !preset.has_bank_refresh())
    return base::fail(ErrorCode::kUsage, "{} has no per-bank refresh", preset.name);
  for (const std::uint32_t entries : {options.read_queue, options.write_queue})
    if (entries == 0 || entries > 4096)
      return base::fail(ErrorCode::kUsage, "a queue of {} entries: expected 1 to 4096", entries);
  ACCELSCOPE_CHECK(check_share(options.low_watermark, "low"));
  ACCELSCOPE_CHECK(check_share(options.high_watermark, "high"));
  if (options.low_watermark > options.high_watermark)
    return base::fail(ErrorCode::kUsage, "the low watermark {} is above the high one {}",
                      options.low_watermark, options.high_watermark);
  constexpr Picoseconds kMostLatency{1'000'000'000'000};
  if (options.controller_latency < Picoseconds{} || options.controller_latency > kMostLatency)
    return base::fail(ErrorCode::kUsage, "a controller latency of {} ps is not from 0 to a second",
                      options.controller_latency.value);
  return {};
}

base::Result<std::unique_ptr<Timing>> make_event_dram(const DramPreset& preset, const DramOptions& options) {
  return make_event_dram(preset, options, constraints_of(preset));
}

base::Result<std::unique_ptr<Timing>> make_event_dram(const DramPreset& preset, const DramOptions& options,
                                                      std::span<const DramConstraint> constraints) {
  ACCELSCOPE_CHECK(check_options(preset, options));
  DramOptions known = options;
  if (known.channels == 0) known.channels = preset.organisation.channels;
  return std::make_unique<EventDram>(preset, known, constraints);
}

}  // namespace accelscope::memory
