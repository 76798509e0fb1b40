// Which command a channel issues next: what every bank wants to do, and the search among them.
#include <algorithm>
#include <array>
#include <bit>

#include "memory/dram_channel.h"

namespace accelscope::memory {
namespace {

// Of the kinds that banks plan.
constexpr std::array kCommandOfKind{DramCommand::kActivate, DramCommand::kPrecharge, DramCommand::kRead,
                                    DramCommand::kWrite};

}  // namespace

void DramChannel::plan(std::uint32_t bank) {
  Bank& state = banks_[bank];
  PseudoChannel& pseudo_channel = of_bank(bank);
  Plan& plan = plans_[bank];
  const std::uint64_t bit = bit_of(bank);
  if ((pseudo_channel.hitting & bit) != 0) pseudo_channel.hits.remove(plan.order);
  pseudo_channel.changed = true;
  pseudo_channel.closing &= ~bit;
  pseudo_channel.hitting &= ~bit;
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
        if (other != kNone) pseudo_channel.closing |= bit;
      }
    }
  }
  state.wanted = entry;
  if (entry == kNone) return;
  plan.kind = static_cast<std::uint32_t>(DramState::kind_of(command));
  plan.in_group = DramState::place_in_groups(state_.node_of_bank(bank).group, plan.kind);
  plan.from = std::max(state_.of_bank(command, bank), entries_[entry].arrival + 1);
  plan.order = order_of(entry, order, bank);
  if (order != kColumnOrder) return;
  pseudo_channel.hitting |= bit;
  pseudo_channel.hits.add(plan.order);
}

void DramChannel::plan_all() {
  for (PseudoChannel& pseudo_channel : pseudo_channels_) {
    pseudo_channel.hitting = 0;
    pseudo_channel.hits.clear();
  }
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
  const std::uint64_t waiting = write_mode_ ? state.writing : state.reading;
  consider(state.best, pseudo_channel, (waiting & ~state.hitting & free) | state.opening);
  if ((state.hitting & free) != 0) consider_hits(state.best, pseudo_channel, state.hitting & free);
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
  const auto local = bank_in(least);
  const std::uint32_t bank = pseudo_channel * banks_per_pseudo_channel_ + local;
  const Plan& plan = plans[local];
  std::int64_t tick = now + static_cast<std::int64_t>(least >> kOrderBits);
  if (tick - now == kFarthest)
    tick = std::max(std::max(plan.from, allowed[plan.kind]), groups[plan.in_group]);
  best = Candidate::of(tick, plan.order, bank, banks_[bank].wanted, kCommandOfKind[plan.kind]);
}

void DramChannel::consider_hits(Candidate& best, std::uint32_t pseudo_channel, std::uint64_t banks) const {
  const Plan* plans = &plans_[std::size_t{pseudo_channel} * banks_per_pseudo_channel_];
  const DramCommand command = write_mode_ ? DramCommand::kWrite : DramCommand::kRead;
  const std::size_t kind = DramState::kind_of(command);
  const std::int64_t allowed =
      std::max({now_, state_.of_buses()[kind], state_.of_pseudo_channel(pseudo_channel)[kind]});
  const std::int64_t* groups = state_.of_groups();
  std::int64_t least = TickClock::kNever;
  std::uint64_t chosen = 0;
  for (const std::uint64_t order : pseudo_channels_[pseudo_channel].hits) {
    const auto bank = bank_in(order);
    if ((banks >> bank & 1U) == 0) continue;
    const Plan& plan = plans[bank];
    const std::int64_t tick = std::max(std::max(plan.from, groups[plan.in_group]), allowed);
    if (tick >= least) continue;
    least = tick;
    chosen = order;
    // None is sooner, and of those of the same tick this one is the oldest.
    if (tick == allowed) break;
  }
  if (least > best.tick || (least == best.tick && chosen > best.order)) return;
  const std::uint32_t bank = (pseudo_channel << bank_bits_) + bank_in(chosen);
  best = Candidate::of(least, chosen, bank, banks_[bank].wanted, command);
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
