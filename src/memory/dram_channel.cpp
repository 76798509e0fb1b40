#include "memory/dram_channel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>

namespace accelscope::memory {
namespace {

// Commands of the same tick: refreshes, requests whose row was opened for them, other columns, rows; the
// oldest first. The order is a word: two bits for that, then the age, then the bank. With the distance of the
// tick above it the least word is the command to issue.
constexpr unsigned kBankBits = 6;
constexpr unsigned kAgeBits = 34;  // kMostAge and more
constexpr unsigned kOrderBits = kBankBits + kAgeBits + 2;
constexpr std::uint64_t kColumnOrder = std::uint64_t{1} << (kBankBits + kAgeBits);
constexpr std::uint64_t kRowOrder = std::uint64_t{2} << (kBankBits + kAgeBits);
// Of the kinds that banks plan.
constexpr std::array kCommandOfKind{DramCommand::kActivate, DramCommand::kPrecharge, DramCommand::kRead,
                                    DramCommand::kWrite};

constexpr std::int64_t kFarthest = (std::int64_t{1} << (64 - kOrderBits)) - 1;

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
  for (std::uint32_t bank = 0; bank < banks_.size(); ++bank)
    pseudo_channel_of_.push_back(state_.node_of_bank(bank).pseudo_channel);
  // A bank may hold a request that has left its queue.
  const std::size_t most = options.read_queue + options.write_queue + banks_.size();
  entries_.resize(most);
  for (std::size_t i = most; i > 0; --i) free_.push_back(static_cast<std::uint16_t>(i - 1));
  if (options.refresh == RefreshKind::kPerBank)
    refresh_ticks_ = std::max<std::int64_t>(1, refresh_ticks_ / banks_per_pseudo_channel_);
  if (options.refresh != RefreshKind::kNone)
    for (PseudoChannel& pseudo_channel : pseudo_channels_) pseudo_channel.refresh_due = refresh_ticks_;
  find_next_refresh();
}

void DramChannel::submit_among_others(const DramPiece& piece) {
  if (waiting_ > kMostDone) {
    input_.erase(input_.begin(), input_.begin() + static_cast<std::ptrdiff_t>(waiting_));
    waiting_ = 0;
  }
  DramPiece later = piece;
  later.arrival = std::max(piece.arrival, now_);
  auto place = input_.end();
  const auto first = input_.begin() + static_cast<std::ptrdiff_t>(waiting_);
  while (place != first && std::prev(place)->arrival > later.arrival) --place;
  input_.insert(place, later);
}

std::int64_t DramChannel::next_arrival() const {
  if (waiting_ == input_.size() || !has_room(input_[waiting_].write)) return TickClock::kNever;
  return std::max(now_, input_[waiting_].arrival);
}

std::int64_t DramChannel::next_event() {
  if (idle()) return TickClock::kNever;
  if (next_ == nullptr) return std::max(now_, work_ > 0 ? now_ : input_[waiting_].arrival);
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
    if (waiting_ < input_.size() && input_[waiting_].left > kLong) checkpoint(last, finished);
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
    if (piece.left > 0) continue;
    ++waiting_;
    recording_ = false;
    next_checkpoint_ = 0;
  }
  if (waiting_ == input_.size()) {
    input_.clear();
    waiting_ = 0;
  }
  if (!any) return;
  choose_mode();
  next_ = nullptr;
}

void DramChannel::accept_burst(DramPiece& piece) {
  const DramPlace place = map_->place_of(piece.next);
  const std::uint32_t bank = state_.bank_of(place);
  ++piece.next;
  --piece.left;
  if (queued_[1] > 0 && meets_write(bank, place)) {
    // Reads take what waits to be written; a second write takes the place of the first.
    ++(piece.write ? statistics_.merged_writes : statistics_.forwarded_reads);
    accepted_.push_back({piece.run, 1, now_ + 1});
    return;
  }
  const std::uint16_t entry = enqueue(piece, place, bank);
  if (entries_[entry].posted) accepted_.push_back({piece.run, 1, now_});
  if (piece.write == write_mode_ && changes_plan(bank, place.row)) plan(bank);
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

bool DramChannel::meets_write(std::uint32_t bank, const DramPlace& place) const {
  for (std::uint16_t i = banks_[bank].lists[1].head; i != kNone; i = entries_[i].next)
    if (entries_[i].row == place.row && entries_[i].column == place.column) return true;
  return false;
}

std::uint16_t DramChannel::enqueue(const DramPiece& piece, const DramPlace& place, std::uint32_t bank) {
  if (next_age_ >= kMostAge) renumber();
  const std::uint16_t index = free_.back();
  free_.pop_back();
  Entry& entry = entries_[index];
  entry.run = piece.run;
  entry.row = place.row;
  entry.column = place.column;
  entry.next = kNone;
  entry.write = piece.write;
  entry.posted = piece.posted;
  entry.first = First::kUnknown;
  entry.arrival = now_;
  entry.age = next_age_++;
  entry.burst = piece.next - 1;
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
  (piece.write ? pseudo_channel.writing : pseudo_channel.reading) |= bit_of(bank);
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
  PseudoChannel& pseudo_channel = of_bank(bank);
  (write ? pseudo_channel.writing : pseudo_channel.reading) &= ~bit_of(bank);
}

void DramChannel::choose_mode_of_writes() {
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
  PseudoChannel& pseudo_channel = of_bank(bank);
  pseudo_channel.changed = true;
  pseudo_channel.closing &= ~bit_of(bank);
  state.closing = kNone;
  std::uint64_t order = 0;
  DramCommand command = DramCommand::kActivate;
  std::uint16_t entry = state.opening;
  if (entry != kNone) {
    command = entries_[entry].write ? DramCommand::kWrite : DramCommand::kRead;
  } else {
    entry = state.lists[write_mode_ ? 1 : 0].head;
    order = kRowOrder;
    if (entry != kNone && state.row >= 0) {
      // The oldest that wants the open row, and the oldest that wants another one.
      const auto row = static_cast<std::uint32_t>(state.row);
      std::uint16_t hit = kNone;
      std::uint16_t other = kNone;
      for (std::uint16_t i = entry; i != kNone && (hit == kNone || other == kNone); i = entries_[i].next)
        if (std::uint16_t& first = entries_[i].row == row ? hit : other; first == kNone) first = i;
      command = DramCommand::kPrecharge;
      if (hit != kNone) {
        command = write_mode_ ? DramCommand::kWrite : DramCommand::kRead;
        order = kColumnOrder;
        entry = hit;
        state.closing = other;
        if (other != kNone) pseudo_channel.closing |= bit_of(bank);
      }
    }
  }
  state.wanted = entry;
  if (entry == kNone) return;
  Plan& plan = plans_[bank];
  plan.kind = static_cast<std::uint32_t>(DramState::kind_of(command));
  plan.in_group = DramState::place_in_groups(state_.node_of_bank(bank).group, plan.kind);
  plan.from = std::max(state_.of_bank(command, bank), entries_[entry].arrival + 1);
  plan.order = order_of(entry, order, bank);
}

void DramChannel::plan_next_hit(std::uint32_t bank) {
  Bank& state = banks_[bank];
  of_bank(bank).changed = true;
  state.wanted = state.lists[write_mode_ ? 1 : 0].head;
  if (state.wanted == kNone) return;
  Plan& plan = plans_[bank];
  const DramCommand command = write_mode_ ? DramCommand::kWrite : DramCommand::kRead;
  plan.from = std::max(state_.of_bank(command, bank), entries_[state.wanted].arrival + 1);
  plan.order = order_of(state.wanted, kColumnOrder, bank);
}

void DramChannel::plan_all() {
  for (std::uint32_t bank = 0; bank < banks_.size(); ++bank) plan(bank);
}

const DramChannel::Candidate* DramChannel::best() {
  const Candidate* best = nullptr;
  std::uint32_t i = 0;
  for (PseudoChannel& pseudo_channel : pseudo_channels_) {
    // Commands of one pseudo channel touch others only through the command buses.
    const Candidate& candidate = pseudo_channel.best;
    if (pseudo_channel.changed || candidate.tick < state_.of_bus(candidate.command())) find_best(i);
    ++i;
    if (best == nullptr || candidate.tick < best->tick ||
        (candidate.tick == best->tick && candidate.order < best->order))
      best = &candidate;
  }
  return best;
}

void DramChannel::find_best(std::uint32_t pseudo_channel) {
  PseudoChannel& state = pseudo_channels_[pseudo_channel];
  state.changed = false;
  state.best = {};
  std::uint64_t free = ~std::uint64_t{0};  // banks that may begin something
  if (state.refreshing)
    free = options_.refresh == RefreshKind::kPerBank ? ~(std::uint64_t{1} << state.refresh_bank) : 0;
  consider(state.best, pseudo_channel,
           ((write_mode_ ? state.writing : state.reading) & free) | state.opening);
  if ((state.closing & free) != 0) consider_closing(state.best, pseudo_channel, state.closing & free);
  if (state.refreshing) consider_refresh(state.best, pseudo_channel);
}

void DramChannel::consider(Candidate& best, std::uint32_t pseudo_channel, std::uint64_t banks) const {
  if (banks == 0) return;
  const Plan* plans = &plans_[std::size_t{pseudo_channel} * banks_per_pseudo_channel_];
  const DramState::Earliest& buses = state_.of_buses();
  const DramState::Earliest& shared = state_.of_pseudo_channel(pseudo_channel);
  std::array<std::int64_t, kCommandOfKind.size()> allowed;  // as far as all banks are concerned
  const std::int64_t now = now_;
  for (std::size_t kind = 0; kind < allowed.size(); ++kind) {
    const std::int64_t bus = buses[kind] > now ? buses[kind] : now;
    allowed[kind] = shared[kind] > bus ? shared[kind] : bus;
  }
  std::uint64_t least = ~std::uint64_t{0};
  const std::int64_t* groups = state_.of_groups();
  // Without branches: what comes first is as good as random.
  for (; banks != 0; banks &= banks - 1) {
    const Plan& plan = plans[std::countr_zero(banks)];
    const std::uint32_t kind = plan.kind;
    const std::int64_t from = plan.from;
    const std::int64_t all = allowed[kind];
    const std::int64_t group = groups[plan.in_group];
    std::int64_t tick = from > all ? from : all;
    tick = group > tick ? group : tick;
    std::int64_t distance = tick - now;
    distance = distance < kFarthest ? distance : kFarthest;
    const std::uint64_t word = (static_cast<std::uint64_t>(distance) << kOrderBits) | plan.order;
    least = word < least ? word : least;
  }
  const auto local = static_cast<std::uint32_t>(least & ((1U << kBankBits) - 1));
  const std::uint32_t bank = pseudo_channel * banks_per_pseudo_channel_ + local;
  const Plan& plan = plans[local];
  std::int64_t tick = now + static_cast<std::int64_t>(least >> kOrderBits);
  if (tick - now == kFarthest)
    tick = std::max(std::max(plan.from, allowed[plan.kind]), groups[plan.in_group]);
  best = Candidate::of(tick, plan.order, bank, banks_[bank].wanted, kCommandOfKind[plan.kind]);
}

std::uint64_t DramChannel::order_of(std::uint16_t entry, std::uint64_t order, std::uint32_t bank) const {
  return order | (entries_[entry].age << kBankBits) |
         (bank - pseudo_channel_of_[bank] * banks_per_pseudo_channel_);
}

// Ages have a limit; what waits keeps its order and counts from the beginning again.
void DramChannel::renumber() {
  std::vector<std::uint16_t> waiting;
  for (const Bank& bank : banks_) {
    if (bank.opening != kNone) waiting.push_back(bank.opening);
    for (const List& list : bank.lists)
      for (std::uint16_t i = list.head; i != kNone; i = entries_[i].next) waiting.push_back(i);
  }
  std::sort(waiting.begin(), waiting.end(),
            [&](std::uint16_t a, std::uint16_t b) { return entries_[a].age < entries_[b].age; });
  next_age_ = 1;
  for (const std::uint16_t entry : waiting) entries_[entry].age = next_age_++;
  plan_all();
}

void DramChannel::consider_closing(Candidate& best, std::uint32_t pseudo_channel, std::uint64_t banks) const {
  const std::uint32_t first = pseudo_channel * banks_per_pseudo_channel_;
  for (; banks != 0; banks &= banks - 1) {
    const auto bank = first + static_cast<std::uint32_t>(std::countr_zero(banks));
    const std::uint16_t entry = banks_[bank].closing;
    const std::int64_t tick =
        std::max({state_.earliest(DramCommand::kPrecharge, bank), entries_[entry].arrival + 1, now_});
    const std::uint64_t order = order_of(entry, kRowOrder, bank);
    if (tick < best.tick || (tick == best.tick && order < best.order))
      best = Candidate::of(tick, order, bank, entry, DramCommand::kPrecharge);
  }
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
  const std::int64_t tick = std::max(state_.earliest(command, bank), now_);
  if (tick <= best.tick) best = Candidate::of(tick, 0, bank, kNone, command);
}

}  // namespace accelscope::memory
