#include "memory/dram_closed_form.h"

#include <algorithm>
#include <vector>

#include "memory/event_dram.h"
#include "memory/ticks.h"

namespace accelscope::memory {
namespace {

using base::Picoseconds;

double clocks(HalfClocks time) {
  return time.value / 2.0;
}

double sequential_share(const DramPreset& preset, MapKind map) {
  const DramTimes& t = preset.times;
  // A map that goes through a row before it changes the bank stays in one bank group.
  const bool one_group = map != MapKind::kMop4ClXor;
  const double distance = std::max({clocks(t.bl), clocks(t.bus), clocks(one_group ? t.ccd_l : t.ccd_s)});
  return clocks(t.bus) / distance;
}

double random_share(const DramPreset& preset) {
  const DramTimes& t = preset.times;
  const DramOrganisation& o = preset.organisation;
  const double burst = clocks(t.bus);
  // Activates keep their distance in pairs and in fours.
  const double activates = burst / std::max(clocks(t.faw) / 4, clocks(t.rrd_s));
  const double banks = preset.banks_per_pseudo_channel() * burst / clocks(t.rc);
  double commands = clocks(t.activate_command) + clocks(t.precharge_command);
  if (o.command_buses == 1) commands += clocks(t.column_command);
  const double bus = burst / (commands * o.pseudo_channels);
  return std::min({1.0, activates, banks, bus});
}

class ClosedFormDram final : public Timing {
 public:
  ClosedFormDram(const DramPreset& preset, const DramOptions& options)
      : preset_(preset), options_(options), map_(preset, {options.channels, options.map, options.hash_rows}) {
    const double burst = static_cast<double>(preset.ticks(preset.times.bus)) *
                         static_cast<double>(preset.tick_femtoseconds()) /
                         preset.organisation.pseudo_channels;
    const auto femtoseconds = [&](TrafficShape shape) {
      const double share = closed_form_efficiency(preset, shape, options.map, options.refresh);
      return static_cast<std::int64_t>(burst / share);
    };
    sequential_ = femtoseconds(TrafficShape::kSequential);
    random_ = femtoseconds(TrafficShape::kRandom);
    free_.resize(options.channels);
    expected_.resize(options.channels);
  }

  Sequence submit(const Request& request) override;
  std::optional<Completion> next(Picoseconds limit) override;
  Picoseconds now() const override { return now_; }
  base::Bytes capacity() const override {
    return {preset_.channel_capacity().value * std::int64_t{options_.channels}};
  }
  std::vector<ModelStatistics> statistics() const override;

 private:
  struct Later {
    bool operator()(const Completion& a, const Completion& b) const {
      return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
    }
  };

  DramPreset preset_;
  DramOptions options_;
  AddressMap map_;
  std::int64_t sequential_ = 0;  // femtoseconds of a burst in a channel
  std::int64_t random_ = 0;
  std::vector<base::Int128> free_;       // when each channel is, in femtoseconds
  std::vector<std::uint64_t> expected_;  // the burst that would continue what was last asked for
  std::vector<Completion> done_;         // a heap
  Picoseconds now_{};
  Sequence next_sequence_ = 0;
  ModelStatistics statistics_;
};

Sequence ClosedFormDram::submit(const Request& request) {
  const auto bytes = static_cast<std::uint64_t>(preset_.burst_bytes().value);
  const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(1, request.size.value));
  const std::uint64_t first = request.address / bytes;
  const std::uint64_t all = (request.address % bytes + size - 1) / bytes + 1;
  const std::uint64_t channels =
      map_.kind() == MapKind::kChRaBaRoCo ? 1 : std::min<std::uint64_t>(all, options_.channels);
  const Picoseconds arrival = std::max(now_, request.arrival);
  const base::Int128 arrives = base::Int128{arrival.value} * 1000;
  base::Int128 end = arrives;
  for (std::uint64_t i = 0; i < channels; ++i) {
    const std::uint64_t bursts = (all - i - 1) / channels + 1;
    const AddressMap::Local local = map_.channel_of(first + i);
    const bool follows = bursts > 1 || expected_[local.channel] == local.burst;
    expected_[local.channel] = local.burst + bursts;
    base::Int128& free = free_[local.channel];
    free = std::max(free, arrives) +
           base::Int128{static_cast<std::int64_t>(bursts)} * (follows ? sequential_ : random_);
    end = std::max(end, free);
  }
  const Picoseconds latency = unloaded_read(preset_, RowState::kClosed);
  const Picoseconds transferred{-base::floor_divide(-end, 1000)};
  const bool write = request.access == Access::kWrite;
  const Picoseconds answered = transferred + (write ? Picoseconds{} : latency) + options_.controller_latency;
  const Sequence sequence = next_sequence_++;
  done_.push_back({sequence, answered, std::min(answered, arrival + latency + options_.controller_latency)});
  std::push_heap(done_.begin(), done_.end(), Later{});
  count(statistics_.traffic, request, {static_cast<std::int64_t>(all * bytes)});
  const TickClock clock(preset_.tick_femtoseconds());
  statistics_.request_latency.add(clock.last_tick_to(answered - arrival));
  return sequence;
}

std::optional<Completion> ClosedFormDram::next(Picoseconds limit) {
  if (done_.empty() || done_.front().time > limit) {
    if (limit != Picoseconds::max()) now_ = std::max(now_, limit);
    return std::nullopt;
  }
  const Completion completion = done_.front();
  std::pop_heap(done_.begin(), done_.end(), Later{});
  done_.pop_back();
  now_ = std::max(now_, completion.time);
  return completion;
}

std::vector<ModelStatistics> ClosedFormDram::statistics() const {
  ModelStatistics result = statistics_;
  result.name = preset_.name;
  result.elapsed = now_;
  result.tick_femtoseconds = preset_.tick_femtoseconds();
  result.burst_latency = result.request_latency;
  result.energy_picojoules =
      preset_.picojoules_per_bit * 8 * static_cast<double>(statistics_.traffic.bytes_moved.value);
  return {result};
}

}  // namespace

double refresh_factor(const DramPreset& preset, RefreshKind refresh) {
  const DramTimes& t = preset.times;
  switch (refresh) {
    case RefreshKind::kNone:
      return 1;
    case RefreshKind::kAllBank:
      return 1 - (clocks(t.rfc) + clocks(t.rp)) / clocks(t.refi);
    case RefreshKind::kPerBank:
      break;
  }
  // One bank of many is away; all others wait only for the distance to the next activate.
  return 1 - clocks(t.rrefd) * preset.banks_per_pseudo_channel() / clocks(t.refi);
}

double closed_form_efficiency(const DramPreset& preset, TrafficShape shape, MapKind map,
                              RefreshKind refresh) {
  const double share = shape == TrafficShape::kRandom ? random_share(preset) : sequential_share(preset, map);
  return share * refresh_factor(preset, refresh);
}

base::Picoseconds unloaded_read(const DramPreset& preset, RowState row) {
  const DramTimes& t = preset.times;
  std::int32_t half_clocks = t.cl.value + t.bl.value + 2;
  if (row != RowState::kHit) half_clocks += t.rcd_read.value;
  if (row == RowState::kConflict) half_clocks += t.rp.value;
  const base::Int128 femtoseconds = base::Int128{half_clocks} * preset.clock_femtoseconds / 2;
  return {-base::floor_divide(-femtoseconds, 1000)};
}

base::Result<std::unique_ptr<Timing>> make_closed_form_dram(const DramPreset& preset,
                                                            const DramOptions& options) {
  ACCELSCOPE_CHECK(check_options(preset, options));
  DramOptions known = options;
  if (known.channels == 0) known.channels = preset.organisation.channels;
  return std::make_unique<ClosedFormDram>(preset, known);
}

}  // namespace accelscope::memory
