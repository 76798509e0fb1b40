// What issuing a command does to a channel, and to its statistics.
#include <algorithm>

#include "memory/dram_channel.h"

namespace accelscope::memory {

void DramChannel::issue(const Candidate& candidate, std::vector<FinishedBurst>& finished) {
  switch (candidate.command()) {
    case DramCommand::kActivate:
      issue_activate(candidate);
      break;
    case DramCommand::kPrecharge:
      issue_precharge(candidate);
      break;
    case DramCommand::kPrechargeAll:
    case DramCommand::kRefreshAll:
    case DramCommand::kRefreshBank:
      issue_refresh(candidate);
      break;
    default:
      issue_column(candidate, finished);
  }
}

void DramChannel::write_log(DramCommand command, std::uint32_t bank, std::uint32_t row,
                            std::uint32_t column) {
  DramPlace place = state_.place_of_bank(bank);
  place.row = row;
  place.column = column;
  options_.log->push_back({.tick = now_, .channel = number_, .command = command, .place = place});
}

bool DramChannel::another_for_row(std::uint32_t bank, std::uint16_t entry) const {
  for (const List& list : banks_[bank].lists)
    for (std::uint16_t i = list.head; i != kNone; i = entries_[i].next)
      if (i != entry && entries_[i].row == entries_[entry].row) return true;
  return false;
}

void DramChannel::close(std::uint32_t bank) {
  banks_[bank].row = -1;
  of_bank(bank).open &= ~bit_of(bank);
}

void DramChannel::issue_column(const Candidate& candidate, std::vector<FinishedBurst>& finished) {
  const std::uint32_t bank = candidate.bank();
  Bank& state = banks_[bank];
  const std::uint16_t index = candidate.entry();
  const Entry& entry = entries_[index];
  PseudoChannel& pseudo_channel = of_bank(bank);
  account(candidate, pseudo_channel, entry);
  const bool closes = options_.page == PagePolicy::kClosed && !another_for_row(bank, index);
  DramCommand command = candidate.command();
  if (closes) command = entry.write ? DramCommand::kWriteClose : DramCommand::kReadClose;
  note(command, bank, entry.row, entry.column);
  state_.issue(command, bank, now_);
  const bool queued = state.opening != index;
  if (!queued) {
    state.opening = kNone;
    pseudo_channel.opening &= ~bit_of(bank);
  } else {
    remove(bank, index);
  }
  if (closes) {
    close(bank);
    state.cause = Idle::kBankConflict;
  }
  ++(entry.write ? statistics_.writes : statistics_.reads);
  if (entry.first == First::kUnknown) ++statistics_.row_hits;
  const std::int64_t done = now_ + (entry.write ? write_latency_ : read_latency_);
  if (!entry.write) burst_latency_.add(done - entry.arrival);
  if (recording_) {
    recorded_.latencies.push_back(done - entry.arrival);
    recorded_.last_done = done;
  }
  if (!entry.posted) finished.push_back({entry.run, 1, done});
  --pseudo_channel.requests;
  --work_;
  free_.push_back(index);
  if (queued && !closes && state.closing == kNone)
    plan_next_hit(bank);
  else
    plan(bank);
  choose_mode();
}

void DramChannel::issue_activate(const Candidate& candidate) {
  const std::uint32_t bank = candidate.bank();
  Bank& state = banks_[bank];
  Entry& entry = entries_[candidate.entry()];
  if (options_.reasons) state.cause = cause_of_activate(candidate);
  note(candidate.command(), bank, entry.row, 0);
  state_.issue(candidate.command(), bank, now_);
  ++statistics_.activates;
  if (entry.first == First::kUnknown) {
    entry.first = First::kMiss;
    ++statistics_.row_misses;
  }
  state.row = entry.row;
  PseudoChannel& pseudo_channel = of_bank(bank);
  pseudo_channel.open |= bit_of(bank);
  pseudo_channel.opening |= bit_of(bank);
  // It leaves the queue; the bank keeps it.
  const std::uint16_t index = candidate.entry();
  remove(bank, index);
  entries_[index].next = kNone;
  state.opening = index;
  plan(bank);
  choose_mode();
}

void DramChannel::issue_precharge(const Candidate& candidate) {
  const std::uint32_t bank = candidate.bank();
  Bank& state = banks_[bank];
  const bool for_refresh = candidate.entry() == kNone;
  state.cause = for_refresh ? Idle::kRefresh : cause_of_precharge(candidate);
  if (!for_refresh && entries_[candidate.entry()].first == First::kUnknown) {
    entries_[candidate.entry()].first = First::kConflict;
    ++statistics_.row_conflicts;
  }
  note(candidate.command(), bank, 0, 0);
  state_.issue(candidate.command(), bank, now_);
  ++statistics_.precharges;
  close(bank);
  plan(bank);
}

void DramChannel::issue_refresh(const Candidate& candidate) {
  PseudoChannel& pseudo_channel = of_bank(candidate.bank());
  note(candidate.command(), candidate.bank(), 0, 0);
  state_.issue(candidate.command(), candidate.bank(), now_);
  if (candidate.command() == DramCommand::kPrechargeAll) {
    ++statistics_.precharges;
    const std::uint32_t first = candidate.bank() / banks_per_pseudo_channel_ * banks_per_pseudo_channel_;
    for (std::uint32_t bank = first; bank < first + banks_per_pseudo_channel_; ++bank) {
      banks_[bank].cause = Idle::kRefresh;
      close(bank);
      plan(bank);
    }
    return;
  }
  ++statistics_.refreshes;
  pseudo_channel.changed = true;
  pseudo_channel.refreshing = false;
  pseudo_channel.refresh_due += refresh_ticks_;
  find_next_refresh();
  if (candidate.command() == DramCommand::kRefreshAll) {
    pseudo_channel.refreshed_until =
        state_.shared(DramCommand::kActivate, state_.node_of_bank(candidate.bank()));
    return;
  }
  banks_[candidate.bank()].cause = Idle::kRefresh;
  plan(candidate.bank());
  pseudo_channel.refresh_bank = (pseudo_channel.refresh_bank + 1) % banks_per_pseudo_channel_;
}

// ---- why a bus was idle ----
//
// The idle time before a column command belongs to whatever held that command up: followed back from the
// column to the activate that it waited for, and from there to the precharge.

Idle DramChannel::cause_of_precharge(const Candidate& candidate) const {
  if (now_ == state_.of_bank(candidate.command(), candidate.bank())) return Idle::kBankConflict;
  if (now_ == entries_[candidate.entry()].arrival + 1) return Idle::kNoRequest;
  return Idle::kRowBus;
}

Idle DramChannel::cause_of_activate(const Candidate& candidate) const {
  const DramNode& node = state_.node_of_bank(candidate.bank());
  if (now_ == state_.shared(candidate.command(), node)) {
    return now_ <= pseudo_channels_[node.pseudo_channel].refreshed_until ? Idle::kRefresh
                                                                         : Idle::kActivateWindow;
  }
  if (now_ == state_.of_bank(candidate.command(), candidate.bank())) return banks_[candidate.bank()].cause;
  if (now_ == entries_[candidate.entry()].arrival + 1) return Idle::kNoRequest;
  return Idle::kRowBus;
}

void DramChannel::account(const Candidate& candidate, PseudoChannel& pseudo_channel, const Entry& entry) {
  std::int64_t gap = now_ - pseudo_channel.busy_until;
  const auto add = [&](Idle reason, std::int64_t ticks) {
    pseudo_channel.idle[static_cast<std::size_t>(reason)] += ticks;
    gap -= ticks;
  };
  if (options_.reasons && gap > 0) {
    const std::int64_t empty =
        std::clamp<std::int64_t>(pseudo_channel.requests_since - pseudo_channel.busy_until, 0, gap);
    if (empty > 0) add(Idle::kNoRequest, empty);
    const bool turned = pseudo_channel.last_was_write != entry.write;
    Idle reason = Idle::kColumnBus;
    if (now_ == state_.of_bank(candidate.command(), candidate.bank()))
      reason = banks_[candidate.bank()].cause;
    else if (turned)
      reason = Idle::kTurnaround;
    else if (now_ == state_.shared(candidate.command(), state_.node_of_bank(candidate.bank())))
      reason = Idle::kBankGroup;
    else if (now_ == entry.arrival + 1)
      reason = Idle::kNoRequest;
    if (reason == Idle::kNoRequest && gap > 0) {
      // It came late; what its row took after that is the bank's.
      add(reason, std::clamp<std::int64_t>(entry.arrival + 1 - pseudo_channel.busy_until - empty, 0, gap));
      reason = Idle::kBankConflict;
    }
    if (gap > 0) add(reason, gap);
  }
  pseudo_channel.busy += burst_ticks_;
  pseudo_channel.busy_until = now_ + burst_ticks_;
  pseudo_channel.last_was_write = entry.write;
}

std::int64_t DramChannel::busy_ticks() const {
  std::int64_t ticks = 0;
  for (const PseudoChannel& pseudo_channel : pseudo_channels_) ticks += pseudo_channel.busy;
  return ticks;
}

std::int64_t DramChannel::busy_until() const {
  std::int64_t end = now_;
  for (const PseudoChannel& pseudo_channel : pseudo_channels_) end = std::max(end, pseudo_channel.busy_until);
  return end;
}

ChannelStatistics DramChannel::statistics(std::int64_t end) const {
  ChannelStatistics result = statistics_;
  for (const PseudoChannel& pseudo_channel : pseudo_channels_) {
    result.elapsed_ticks += end;
    result.busy_ticks += pseudo_channel.busy;
    for (std::size_t i = 0; i < kIdleReasons; ++i) result.idle_ticks[i] += pseudo_channel.idle[i];
    if (!options_.reasons) continue;
    const std::int64_t rest = end - pseudo_channel.busy_until;
    const Idle reason = pseudo_channel.requests == 0 ? Idle::kNoRequest : Idle::kBankConflict;
    result.idle_ticks[static_cast<std::size_t>(reason)] += rest;
  }
  return result;
}

}  // namespace accelscope::memory
