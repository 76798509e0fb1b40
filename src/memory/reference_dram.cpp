#include "memory/reference_dram.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <vector>

#include "memory/reference_channel.h"
#include "memory/ticks.h"

namespace accelscope::memory {
namespace {

using base::Picoseconds;

constexpr std::uint64_t kReferenceLineBytes = 64;

// What is still to be sent of one request, and what is still to come back.
struct Transfer {
  Sequence sequence = 0;
  Access access = Access::kRead;
  std::int64_t arrival = 0;       // clock
  std::uint64_t next_burst = 0;   // to be sent
  std::uint64_t end_burst = 0;    // behind the last
  std::uint64_t outstanding = 0;  // sent, not back
  std::int64_t first = -1;
};

// The bits of an address, lowest first.
class Bits {
 public:
  explicit Bits(std::uint64_t word) : word_(word) {}
  std::uint32_t take(std::uint32_t size_of_field) {
    const auto value = static_cast<std::uint32_t>(word_ % size_of_field);
    word_ /= size_of_field;
    return value;
  }

 private:
  std::uint64_t word_;
};

class ReferenceDram final : public Timing {
 public:
  ReferenceDram(const DramPreset& preset, std::uint32_t channels)
      : preset_(preset), clock_(preset.clock_femtoseconds), channels_(channels, ReferenceChannel(preset)) {}

  Sequence submit(const Request& request) override;
  std::optional<Completion> next(Picoseconds limit) override;
  Picoseconds now() const override { return std::max(now_, clock_.time_of(instant_)); }
  base::Bytes capacity() const override {
    return {preset_.channel_capacity().value * static_cast<std::int64_t>(channels_.size())};
  }
  std::vector<ModelStatistics> statistics() const override;
  void add_activity(Activity& activity) const override {
    for (const ReferenceChannel& channel : channels_) {
      const auto bursts = static_cast<std::int64_t>(channel.bursts_read() + channel.bursts_written());
      activity.channels.push_back(
          clock_.time_of(bursts * preset_.ticks(preset_.times.bus) / preset_.organisation.pseudo_channels));
    }
  }

 private:
  std::pair<ReferenceBurst, std::uint32_t> placed(std::uint64_t burst) const;
  // Sends what may be sent at this instant, in order, until a queue refuses.
  void send_waiting();
  void tick();
  // The ticks up to the present instant, which nobody waited for.
  void catch_up();
  void finish(std::uint32_t slot);
  std::uint32_t free_slot();

  DramPreset preset_;
  TickClock clock_;
  std::vector<ReferenceChannel> channels_;
  std::vector<Transfer> transfers_;
  std::vector<std::uint32_t> free_;
  std::deque<std::uint32_t> waiting_;  // not yet sent entirely, in order
  std::deque<Completion> done_;
  std::int64_t instant_ = 0;     // the clock that is simulated now
  std::int64_t ticks_done_ = 0;  // after the tick of instant t: t + 1
  std::uint64_t outstanding_ = 0;
  Picoseconds now_{};
  Sequence next_sequence_ = 0;
  ModelStatistics statistics_;
};

Sequence ReferenceDram::submit(const Request& request) {
  const std::uint32_t slot = free_slot();
  Transfer& transfer = transfers_[slot];
  const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(1, request.size.value));
  const auto bytes = static_cast<std::uint64_t>(preset_.burst_bytes().value);
  // Whole lines, as the wrapper asks for.
  const std::uint64_t from = request.address / kReferenceLineBytes * kReferenceLineBytes;
  const std::uint64_t to =
      (request.address + size + kReferenceLineBytes - 1) / kReferenceLineBytes * kReferenceLineBytes;
  transfer = {.sequence = next_sequence_++,
              .access = request.access,
              .arrival = std::max(instant_, clock_.first_tick_from(request.arrival)),
              .next_burst = from / bytes,
              .end_burst = to / bytes};
  count(statistics_.traffic, request, {static_cast<std::int64_t>(to - from)});
  auto place = waiting_.end();
  while (place != waiting_.begin() && transfers_[*std::prev(place)].arrival > transfer.arrival) --place;
  waiting_.insert(place, slot);
  return transfer.sequence;
}

std::uint32_t ReferenceDram::free_slot() {
  if (free_.empty()) {
    transfers_.emplace_back();
    return static_cast<std::uint32_t>(transfers_.size() - 1);
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  return slot;
}

std::pair<ReferenceBurst, std::uint32_t> ReferenceDram::placed(std::uint64_t burst) const {
  const DramOrganisation& o = preset_.organisation;
  const auto channels = static_cast<std::uint32_t>(channels_.size());
  Bits bits(burst);
  std::uint32_t column = bits.take(4);
  std::uint32_t channel = bits.take(channels);
  std::uint32_t pseudo_channel = bits.take(o.pseudo_channels);
  std::uint32_t group = bits.take(o.bank_groups);
  std::uint32_t bank = bits.take(o.banks_per_group);
  column += bits.take(preset_.bursts_per_row() / 4) * 4;
  const std::uint32_t row = bits.take(o.rows);
  // Columns are mixed into all that lies above them, lowest bits first.
  std::uint32_t mixed = column;
  const auto mix = [&](std::uint32_t& field, std::uint32_t size) {
    field ^= mixed & (size - 1);
    mixed /= size;
  };
  mix(channel, channels);
  mix(pseudo_channel, o.pseudo_channels);
  mix(group, o.bank_groups);
  mix(bank, o.banks_per_group);
  const std::uint32_t group_of_channel = pseudo_channel * o.bank_groups + group;
  return {{.address = burst,
           .pseudo_channel = pseudo_channel,
           .group = group_of_channel,
           .bank = group_of_channel * o.banks_per_group + bank,
           .row = row},
          channel};
}

void ReferenceDram::send_waiting() {
  while (!waiting_.empty()) {
    const std::uint32_t slot = waiting_.front();
    Transfer& transfer = transfers_[slot];
    if (transfer.arrival > instant_) return;
    // The clock stood still while nothing was outstanding.
    if (outstanding_ == 0) catch_up();
    auto [burst, channel] = placed(transfer.next_burst);
    burst.write = transfer.access == Access::kWrite;
    burst.owner = slot;
    if (!channels_[channel].send(burst)) return;
    ++transfer.next_burst;
    if (!burst.write) {
      ++transfer.outstanding;
      ++outstanding_;
    }
    if (transfer.next_burst < transfer.end_burst) continue;
    waiting_.pop_front();
    if (burst.write) finish(slot);
  }
}

void ReferenceDram::tick() {
  ++ticks_done_;
  for (ReferenceChannel& channel : channels_) {
    const std::optional<std::uint32_t> owner = channel.tick();
    if (!owner) continue;
    Transfer& transfer = transfers_[*owner];
    if (transfer.first < 0) transfer.first = instant_;
    --outstanding_;
    if (--transfer.outstanding == 0 && transfer.next_burst == transfer.end_burst) finish(*owner);
  }
}

void ReferenceDram::catch_up() {
  const auto idle = [](const ReferenceChannel& channel) { return channel.idle(); };
  while (ticks_done_ < instant_ && !std::all_of(channels_.begin(), channels_.end(), idle)) tick();
  if (ticks_done_ >= instant_) return;
  for (ReferenceChannel& channel : channels_) channel.skip(instant_ - ticks_done_);
  ticks_done_ = instant_;
}

void ReferenceDram::finish(std::uint32_t slot) {
  const Transfer& transfer = transfers_[slot];
  const Picoseconds time = clock_.time_of(instant_);
  done_.push_back({transfer.sequence, time, transfer.first < 0 ? time : clock_.time_of(transfer.first)});
  statistics_.request_latency.add(instant_ - transfer.arrival);
  free_.push_back(slot);
}

std::optional<Completion> ReferenceDram::next(Picoseconds limit) {
  const std::int64_t last = clock_.last_tick_to(limit);
  for (;;) {
    if (!done_.empty()) {
      const Completion completion = done_.front();
      if (completion.time > limit) return std::nullopt;
      done_.pop_front();
      now_ = std::max(now_, completion.time);
      return completion;
    }
    if (outstanding_ == 0 && waiting_.empty()) break;
    if (outstanding_ == 0 && transfers_[waiting_.front()].arrival > instant_) {
      const std::int64_t arrival = transfers_[waiting_.front()].arrival;
      if (arrival > last) break;
      instant_ = arrival;
    }
    send_waiting();
    if (!done_.empty()) continue;
    if (ticks_done_ > instant_ || outstanding_ == 0) {
      if (instant_ >= last) break;
      ++instant_;
      send_waiting();
    }
    if (outstanding_ > 0)
      while (ticks_done_ <= instant_) tick();
  }
  if (limit != Picoseconds::max()) now_ = std::max(now_, limit);
  return std::nullopt;
}

std::vector<ModelStatistics> ReferenceDram::statistics() const {
  ModelStatistics result = statistics_;
  result.name = preset_.name;
  result.elapsed = now();
  result.tick_femtoseconds = preset_.clock_femtoseconds;
  for (const ReferenceChannel& channel : channels_) {
    ChannelStatistics of_channel;
    of_channel.reads = channel.bursts_read();
    of_channel.writes = channel.bursts_written();
    of_channel.activates = channel.activates();
    of_channel.precharges = channel.precharges();
    of_channel.elapsed_ticks = ticks_done_ * preset_.organisation.pseudo_channels;
    of_channel.busy_ticks = std::min<std::int64_t>(
        of_channel.elapsed_ticks,
        static_cast<std::int64_t>(of_channel.reads + of_channel.writes) * preset_.ticks(preset_.times.bus));
    result.channels.push_back(of_channel);
  }
  return {result};
}

}  // namespace

base::Result<std::unique_ptr<Timing>> make_reference_dram(const DramPreset& preset, std::uint32_t channels) {
  if (preset.family != DramFamily::kReference)
    return base::fail(base::ErrorCode::kUsage, "{} is no preset of the reference's controller", preset.name);
  if (channels == 0 || channels > 1024 || !std::has_single_bit(channels))
    return base::fail(base::ErrorCode::kUsage,
                      "{} channels: the reference's address map needs a power of two from 1 to 1024",
                      channels);
  return std::make_unique<ReferenceDram>(preset, channels);
}

}  // namespace accelscope::memory
