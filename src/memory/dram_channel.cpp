#include "memory/dram_channel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>

namespace accelscope::memory {
namespace {

// From so many bursts on a piece is worth remembering.
constexpr std::uint64_t kLong = 2048;

}  // namespace

DramChannel::DramChannel(const DramPreset& preset, const DramOptions& options, const AddressMap& map,
                         std::span<const DramConstraint> constraints, std::uint32_t number,
                         DramRunCache& cache)
    : options_(options),
      map_(&map),
      number_(number),
      banks_per_pseudo_channel_(preset.banks_per_pseudo_channel()),
      bank_bits_(static_cast<std::uint32_t>(std::countr_zero(banks_per_pseudo_channel_))),
      state_(preset, constraints),
      read_latency_(preset.ticks(preset.times.cl) + preset.ticks(preset.times.bl)),
      write_latency_(preset.ticks(preset.times.cwl) + preset.ticks(preset.times.bl)),
      burst_ticks_(preset.ticks(preset.times.bus)),
      refresh_ticks_(preset.ticks(preset.times.refi)),
      high_(static_cast<std::uint32_t>(std::floor(options.high_watermark * options.write_queue))),
      low_(static_cast<std::uint32_t>(std::ceil(options.low_watermark * options.write_queue))),
      banks_(std::size_t{banks_per_pseudo_channel_} * preset.organisation.pseudo_channels),
      pseudo_channels_(preset.organisation.pseudo_channels),
      plans_(banks_.size()),
      cache_(&cache) {
  if (options.map != MapKind::kChRaBaRoCo && !options.hash_rows && options.log == nullptr &&
      pseudo_channels_.size() <= DramRunCache::kMostPseudoChannels)
    period_ = std::uint64_t{preset.bursts_per_row()} * banks_.size();
  // A bank may hold a request that has left its queue.
  const std::size_t most = options.read_queue + options.write_queue + banks_.size();
  entries_.resize(most);
  bursts_.resize(most);
  for (std::size_t i = most; i > 0; --i) free_.push_back(static_cast<std::uint16_t>(i - 1));
  if (options.refresh == RefreshKind::kPerBank)
    refresh_ticks_ = std::max<std::int64_t>(1, refresh_ticks_ / banks_per_pseudo_channel_);
  if (options.refresh != RefreshKind::kNone)
    for (PseudoChannel& pseudo_channel : pseudo_channels_) pseudo_channel.refresh_due = refresh_ticks_;
  find_next_refresh();
}

std::int64_t DramChannel::next_arrival() const {
  if (input_.empty() || !has_room(input_.front().write)) return TickClock::kNever;
  return std::max(now_, input_.front().arrival);
}

std::int64_t DramChannel::next_event() {
  if (idle()) return TickClock::kNever;
  if (next_ == nullptr) return std::max(now_, work_ > 0 ? now_ : input_.front().arrival);
  std::int64_t next = std::min(next_->tick, next_arrival());
  return work_ > 0 ? std::min(next, next_refresh_) : next;
}

void DramChannel::run_until(std::int64_t last, std::vector<FinishedBurst>& finished) {
  while (!idle()) {
    if (next_ == nullptr) next_ = best();
    const std::int64_t arrival = next_arrival();
    // What changes the choice comes first, refreshes before arrivals.
    const std::int64_t until = std::min(last, std::min(next_->tick, arrival));
    if (next_refresh_ <= until && begin_refreshes(until)) continue;
    if (arrival <= next_->tick) {
      if (arrival > last) return;
      now_ = arrival;
      accept();
      finished.insert(finished.end(), accepted_.begin(), accepted_.end());
      accepted_.clear();
      continue;
    }
    if (next_->tick > last) return;
    now_ = next_->tick;
    issue(*next_, finished);
    accept();
    if (!accepted_.empty()) {
      finished.insert(finished.end(), accepted_.begin(), accepted_.end());
      accepted_.clear();
    }
    next_ = nullptr;
    if (!input_.empty() && input_.front().left > kLong) checkpoint(last, finished);
  }
}

// ---- requests ----

void DramChannel::accept() {
  bool any = false;
  while (!input_.empty()) {
    DramPiece& piece = input_.front();
    if (piece.arrival > now_ || !has_room(piece.write)) break;
    any = true;
    accept_burst(piece);
    if (piece.left > 0) continue;
    input_.pop();
    recording_ = false;
    next_checkpoint_ = 0;
  }
  if (!any) return;
  choose_mode();
  next_ = nullptr;
}

void DramChannel::accept_burst(DramPiece& piece) {
  const std::uint64_t burst = piece.next++;
  const AddressMap::Spot spot = map_->spot_of(burst);
  --piece.left;
  if (queued_[1] > 0 && meets_write(spot)) {
    // Reads take what waits to be written; a second write takes the place of the first.
    ++(piece.write ? statistics_.merged_writes : statistics_.forwarded_reads);
    accepted_.push_back({piece.run, 1, now_ + 1});
    return;
  }
  enqueue(piece, burst, spot);
  if (piece.posted) accepted_.push_back({piece.run, 1, now_});
  if (piece.write == write_mode_ && changes_plan(spot.bank, spot.row)) plan(spot.bank);
}

bool DramChannel::changes_plan(std::uint32_t bank, std::uint32_t row) const {
  const Bank& state = banks_[bank];
  // What a bank keeps its row for comes first, whatever arrives; and of others the oldest.
  if (state.opening != kNone) return false;
  if (state.wanted == kNone) return true;
  const auto kind = plans_[bank].kind;
  if (kind == DramState::kind_of(DramCommand::kActivate)) return false;
  const bool hit = row == state.row;
  return kind == DramState::kind_of(DramCommand::kPrecharge) ? hit : !hit && state.closing == kNone;
}

bool DramChannel::meets_write(const AddressMap::Spot& spot) const {
  for (std::uint16_t i = banks_[spot.bank].lists[1].head; i != kNone; i = entries_[i].next)
    if (entries_[i].row == spot.row && entries_[i].column == spot.column) return true;
  return false;
}

void DramChannel::remove_behind_head(List& list, std::uint16_t index) {
  std::uint16_t before = list.head;
  while (entries_[before].next != index) before = entries_[before].next;
  entries_[before].next = entries_[index].next;
  if (list.tail == index) list.tail = before;
}

void DramChannel::choose_mode_of_writes() {
  const bool before = write_mode_;
  if (!write_mode_)
    write_mode_ = queued_[1] > high_ || (queued_[0] == 0 && queued_[1] > 0);
  else
    write_mode_ = queued_[1] > 0 && (queued_[1] >= low_ || queued_[0] == 0);
  if (write_mode_ != before) plan_all();
}

void DramChannel::find_next_refresh() {
  next_refresh_ = TickClock::kNever;
  for (const PseudoChannel& pseudo_channel : pseudo_channels_)
    if (!pseudo_channel.refreshing) next_refresh_ = std::min(next_refresh_, pseudo_channel.refresh_due);
}

bool DramChannel::begin_refreshes(std::int64_t until) {
  bool any = false;
  for (PseudoChannel& pseudo_channel : pseudo_channels_) {
    if (pseudo_channel.refreshing || pseudo_channel.refresh_due > until) continue;
    // Nobody saw those of a long idle time; that they happened is enough.
    constexpr std::int64_t kMany = 64;
    const std::int64_t missed = (until - pseudo_channel.refresh_due) / refresh_ticks_ - kMany;
    if (missed > 0 && work_ == 0 && options_.log == nullptr) {
      pseudo_channel.refresh_due += missed * refresh_ticks_;
      statistics_.refreshes += static_cast<std::uint64_t>(missed);
      if (options_.refresh == RefreshKind::kPerBank)
        pseudo_channel.refresh_bank =
            static_cast<std::uint32_t>((pseudo_channel.refresh_bank + missed) % banks_per_pseudo_channel_);
    }
    now_ = std::max(now_, pseudo_channel.refresh_due);
    pseudo_channel.refreshing = true;
    pseudo_channel.changed = true;
    find_next_refresh();
    any = true;
    break;
  }
  if (any) next_ = nullptr;
  return any;
}

}  // namespace accelscope::memory
