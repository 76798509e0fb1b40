#include "memory/dram_channel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

namespace accelscope::memory {
namespace {

// Requests of the same tick: refresh first, then columns, then rows.
constexpr std::uint64_t kRowOrder = std::uint64_t{1} << 63U;

}  // namespace

DramChannel::DramChannel(const DramPreset& preset, const DramOptions& options, const AddressMap& map,
                         std::span<const DramConstraint> constraints, std::uint32_t number)
    : options_(options),
      map_(&map),
      number_(number),
      banks_per_pseudo_channel_(preset.banks_per_pseudo_channel()),
      state_(preset, constraints),
      read_latency_(preset.ticks(preset.times.cl) + preset.ticks(preset.times.bl)),
      write_latency_(preset.ticks(preset.times.cwl) + preset.ticks(preset.times.bl)),
      burst_ticks_(preset.ticks(preset.times.bus)),
      refresh_ticks_(preset.ticks(preset.times.refi)),
      high_(static_cast<std::uint32_t>(std::floor(options.high_watermark * options.write_queue))),
      low_(static_cast<std::uint32_t>(std::ceil(options.low_watermark * options.write_queue))),
      banks_(std::size_t{banks_per_pseudo_channel_} * preset.organisation.pseudo_channels),
      pseudo_channels_(preset.organisation.pseudo_channels),
      planned_(banks_.size()),
      planned_from_(banks_.size()),
      planned_order_(banks_.size()) {
  // A bank may hold a request that has left its queue.
  const std::size_t most = options.read_queue + options.write_queue + banks_.size();
  entries_.resize(most);
  for (std::size_t i = most; i > 0; --i) free_.push_back(static_cast<std::uint16_t>(i - 1));
  if (options.refresh == RefreshKind::kPerBank)
    refresh_ticks_ = std::max<std::int64_t>(1, refresh_ticks_ / banks_per_pseudo_channel_);
  if (options.refresh != RefreshKind::kNone)
    for (PseudoChannel& pseudo_channel : pseudo_channels_) pseudo_channel.refresh_due = refresh_ticks_;
}

void DramChannel::submit(const DramPiece& piece) {
  if (waiting_ > 1024 && waiting_ * 2 > input_.size()) {
    input_.erase(input_.begin(), input_.begin() + static_cast<std::ptrdiff_t>(waiting_));
    waiting_ = 0;
  }
  DramPiece later = piece;
  later.arrival = std::max(piece.arrival, now_);
  auto place = input_.end();
  const auto first = input_.begin() + static_cast<std::ptrdiff_t>(waiting_);
  while (place != first && std::prev(place)->arrival > later.arrival) --place;
  input_.insert(place, later);
  cached_.reset();
}

std::int64_t DramChannel::next_arrival() const {
  if (waiting_ == input_.size() || !has_room(input_[waiting_].write)) return TickClock::kNever;
  return std::max(now_, input_[waiting_].arrival);
}

std::int64_t DramChannel::next_event() {
  if (idle()) return TickClock::kNever;
  if (!cached_) return std::max(now_, work_ > 0 ? now_ : input_[waiting_].arrival);
  std::int64_t next = std::min(cached_->tick, next_arrival());
  if (work_ > 0)
    for (const PseudoChannel& pseudo_channel : pseudo_channels_)
      if (!pseudo_channel.refreshing) next = std::min(next, pseudo_channel.refresh_due);
  return next;
}

void DramChannel::run_until(std::int64_t last, std::vector<FinishedBurst>& finished) {
  while (!idle()) {
    if (!cached_) cached_ = best();
    const std::int64_t arrival = next_arrival();
    // What changes the choice comes first, refreshes before arrivals.
    if (begin_refreshes(std::min({last, cached_->tick, arrival}))) continue;
    if (arrival <= cached_->tick) {
      if (arrival > last) return;
      now_ = arrival;
      accept();
      finished.insert(finished.end(), accepted_.begin(), accepted_.end());
      accepted_.clear();
      continue;
    }
    if (cached_->tick > last) return;
    const Candidate candidate = *cached_;
    now_ = candidate.tick;
    issue(candidate, finished);
    accept();
    if (!accepted_.empty()) {
      finished.insert(finished.end(), accepted_.begin(), accepted_.end());
      accepted_.clear();
    }
    cached_.reset();
  }
}

// ---- requests ----

void DramChannel::accept() {
  bool any = false;
  while (waiting_ < input_.size()) {
    DramPiece& piece = input_[waiting_];
    if (piece.arrival > now_ || !has_room(piece.write)) break;
    any = true;
    accept_burst(piece);
    if (piece.left == 0) ++waiting_;
  }
  if (waiting_ == input_.size()) {
    input_.clear();
    waiting_ = 0;
  }
  if (!any) return;
  choose_mode();
  cached_.reset();
}

void DramChannel::accept_burst(DramPiece& piece) {
  const DramPlace place = map_->place_of(piece.next);
  const std::uint32_t bank = state_.bank_of(place);
  ++piece.next;
  --piece.left;
  if (queued_[1] > 0 && meets_write(bank, place)) {
    // Reads take what waits to be written; a second write takes the place of the first.
    ++(piece.write ? statistics_.merged_writes : statistics_.forwarded_reads);
    accepted_.push_back({piece.run, now_ + 1});
    return;
  }
  const std::uint16_t entry = enqueue(piece, place, bank);
  if (entries_[entry].posted) accepted_.push_back({piece.run, now_});
  const bool planned_anew = banks_[bank].wanted == kNone || entries_[entry].write == write_mode_;
  if (planned_anew) plan(bank);
}

bool DramChannel::meets_write(std::uint32_t bank, const DramPlace& place) const {
  for (std::uint16_t i = banks_[bank].lists[1].head; i != kNone; i = entries_[i].next)
    if (entries_[i].row == place.row && entries_[i].column == place.column) return true;
  return false;
}

std::uint16_t DramChannel::enqueue(const DramPiece& piece, const DramPlace& place, std::uint32_t bank) {
  const std::uint16_t index = free_.back();
  free_.pop_back();
  entries_[index] = {.run = piece.run,
                     .row = place.row,
                     .column = place.column,
                     .bank = static_cast<std::uint16_t>(bank),
                     .next = kNone,
                     .write = piece.write,
                     .posted = piece.posted,
                     .first = First::kUnknown,
                     .arrival = now_,
                     .age = next_age_++};
  List& list = banks_[bank].lists[piece.write ? 1 : 0];
  if (list.tail == kNone)
    list.head = index;
  else
    entries_[list.tail].next = index;
  list.tail = index;
  ++queued_[piece.write ? 1 : 0];
  ++work_;
  PseudoChannel& pseudo_channel = pseudo_channels_[place.pseudo_channel];
  if (pseudo_channel.requests++ == 0) pseudo_channel.requests_since = now_;
  const std::uint64_t bit = std::uint64_t{1} << (bank % banks_per_pseudo_channel_);
  (piece.write ? pseudo_channel.writing : pseudo_channel.reading) |= bit;
  return index;
}

void DramChannel::remove(std::uint32_t bank, std::uint16_t entry) {
  const bool write = entries_[entry].write;
  List& list = banks_[bank].lists[write ? 1 : 0];
  std::uint16_t before = kNone;
  for (std::uint16_t i = list.head; i != entry; i = entries_[i].next) before = i;
  (before == kNone ? list.head : entries_[before].next) = entries_[entry].next;
  if (list.tail == entry) list.tail = before;
  --queued_[write ? 1 : 0];
  if (list.head != kNone) return;
  PseudoChannel& pseudo_channel = pseudo_channels_[bank / banks_per_pseudo_channel_];
  const std::uint64_t bit = std::uint64_t{1} << (bank % banks_per_pseudo_channel_);
  (write ? pseudo_channel.writing : pseudo_channel.reading) &= ~bit;
}

void DramChannel::choose_mode() {
  const bool before = write_mode_;
  if (!write_mode_)
    write_mode_ = queued_[1] > high_ || (queued_[0] == 0 && queued_[1] > 0);
  else
    write_mode_ = queued_[1] > 0 && (queued_[1] >= low_ || queued_[0] == 0);
  if (write_mode_ != before) plan_all();
}

// ---- the choice ----

void DramChannel::plan(std::uint32_t bank) {
  Bank& state = banks_[bank];
  std::uint16_t entry = state.opening;
  DramCommand command = DramCommand::kActivate;
  if (entry != kNone) {
    command = entries_[entry].write ? DramCommand::kWrite : DramCommand::kRead;
  } else {
    entry = state.lists[write_mode_ ? 1 : 0].head;
    if (entry != kNone && state.row >= 0) {
      std::uint16_t hit = entry;
      while (hit != kNone && entries_[hit].row != static_cast<std::uint32_t>(state.row))
        hit = entries_[hit].next;
      command = hit == kNone  ? DramCommand::kPrecharge
                : write_mode_ ? DramCommand::kWrite
                              : DramCommand::kRead;
      if (hit != kNone) entry = hit;
    }
  }
  state.wanted = entry;
  if (entry == kNone) return;
  planned_[bank] = command;
  planned_from_[bank] = std::max(state_.of_bank(command, bank), entries_[entry].arrival + 1);
  planned_order_[bank] = entries_[entry].age | (is_column(command) ? 0 : kRowOrder);
}

void DramChannel::plan_all() {
  for (std::uint32_t bank = 0; bank < banks_.size(); ++bank) plan(bank);
}

void DramChannel::take_better(Candidate& best, std::int64_t tick, std::uint64_t order, std::uint32_t bank,
                              DramCommand command) {
  if (tick < best.tick || (tick == best.tick && order < best.order)) best = {tick, order, bank, command};
}

DramChannel::Candidate DramChannel::best() const {
  Candidate best;
  for (std::uint32_t i = 0; i < pseudo_channels_.size(); ++i) {
    const PseudoChannel& pseudo_channel = pseudo_channels_[i];
    std::uint64_t banks = pseudo_channel.opening;
    if (!pseudo_channel.refreshing)
      banks |= write_mode_ ? pseudo_channel.writing : pseudo_channel.reading;
    else if (options_.refresh == RefreshKind::kPerBank)
      banks |= (write_mode_ ? pseudo_channel.writing : pseudo_channel.reading) &
               ~(std::uint64_t{1} << pseudo_channel.refresh_bank);
    if (banks != 0) consider(best, i, banks);
    if (pseudo_channel.refreshing) consider_refresh(best, i);
  }
  return best;
}

void DramChannel::consider(Candidate& best, std::uint32_t pseudo_channel, std::uint64_t banks) const {
  const std::uint32_t first = pseudo_channel * banks_per_pseudo_channel_;
  while (banks != 0) {
    const auto bank = first + static_cast<std::uint32_t>(std::countr_zero(banks));
    banks &= banks - 1;
    const DramCommand command = planned_[bank];
    const std::int64_t tick =
        std::max({planned_from_[bank], state_.shared(command, state_.node_of_bank(bank)),
                  state_.of_bus(command), now_});
    take_better(best, tick, planned_order_[bank], bank, command);
  }
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
    any = true;
    break;
  }
  if (any) cached_.reset();
  return any;
}

void DramChannel::consider_refresh(Candidate& best, std::uint32_t pseudo_channel) const {
  const PseudoChannel& state = pseudo_channels_[pseudo_channel];
  std::uint32_t bank = pseudo_channel * banks_per_pseudo_channel_;
  DramCommand command = state.open != 0 ? DramCommand::kPrechargeAll : DramCommand::kRefreshAll;
  std::uint64_t in_the_way = state.opening;
  if (options_.refresh == RefreshKind::kPerBank) {
    const std::uint64_t bit = std::uint64_t{1} << state.refresh_bank;
    bank += state.refresh_bank;
    command = (state.open & bit) != 0 ? DramCommand::kPrecharge : DramCommand::kRefreshBank;
    in_the_way &= bit;
  }
  // Rows that were opened for somebody stay open until they have been used.
  if (in_the_way != 0) return;
  const std::int64_t tick = std::max(state_.earliest(command, state_.node_of_bank(bank)), now_);
  take_better(best, tick, 0, bank, command);
}

}  // namespace accelscope::memory
