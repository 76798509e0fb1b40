#include "memory/unit_swapper.h"

#include <algorithm>
#include <utility>

namespace accelscope::memory {

namespace {

using base::Picoseconds;

// What is written at a time of a unit that nobody waits for: less holds the memory's writes up by its
// latency, more holds up who reads.
constexpr std::uint64_t kLandedAtATime = 4096;

}  // namespace

UnitSwapper::UnitSwapper(UnitTable table, Residency residency, std::uint32_t prefetch_depth, HostLink& link,
                         Timing& inner, TransferCounts& counts)
    : table_(std::move(table)),
      residency_(std::move(residency)),
      depth_(prefetch_depth),
      link_(link),
      inner_(inner),
      counts_(counts),
      states_(table_.units.size()) {}

void UnitSwapper::fill() {
  for (std::uint32_t unit = 0; unit < states_.size(); ++unit)
    if (residency_.admit(unit, [](std::uint32_t) { return false; })) states_[unit].place = Place::kHere;
}

void UnitSwapper::begin_use(std::uint32_t unit, bool writes) {
  State& state = states_[unit];
  ++state.busy;
  state.dirty = state.dirty || writes;
  if (current_ == unit) return;
  current_ = unit;
  residency_.use(unit);
}

void UnitSwapper::demand(std::uint32_t unit, std::uint32_t waiter, bool overwrites, Picoseconds now) {
  State& state = states_[unit];
  state.waiting.push_back(waiter);
  if (state.demanded.value < 0) state.demanded = now;
  if (state.place == Place::kComing) link_.hurry(state.transfer);
  if (state.place == Place::kLanding) land(unit, now);
  if (state.place != Place::kAway) return;
  state.overwritten = overwrites;
  state.place = Place::kWanted;
  if (!make_room(unit, false, now)) wanted_.push_back(unit);
}

bool UnitSwapper::among_next(std::uint32_t unit, std::uint32_t first) const {
  return (unit + states_.size() - first) % states_.size() <= depth_;
}

// Nothing that is needed before the unit, or right behind it, is driven out for it, unless it cannot wait.
bool UnitSwapper::make_room(std::uint32_t unit, bool ahead, Picoseconds now) {
  const auto idle = [&](std::uint32_t other) {
    const State& state = states_[other];
    return state.place == Place::kHere && state.busy == 0 && state.waiting.empty();
  };
  const std::uint32_t first = ahead ? current_.value_or(unit) : unit;
  auto evicted =
      residency_.admit(unit, [&](std::uint32_t other) { return idle(other) && !among_next(other, first); });
  if (!evicted && !ahead) evicted = residency_.admit(unit, idle);
  if (!evicted) return false;
  states_[unit].place = Place::kMaking;
  states_[unit].blocked = 0;
  for (const std::uint32_t victim : *evicted) evict(victim, unit, now);
  if (states_[unit].blocked == 0) come(unit, now);
  return true;
}

void UnitSwapper::evict(std::uint32_t unit, std::uint32_t for_unit, Picoseconds now) {
  State& state = states_[unit];
  if (!state.dirty) {
    state.place = Place::kAway;
    return;
  }
  state.place = Place::kLeaving;
  state.blocks.push_back(for_unit);
  ++states_[for_unit].blocked;
  for (const UnitPiece& piece : table_.units[unit].pieces)
    move(unit, piece.offset, piece.size(), Access::kRead, now);
}

void UnitSwapper::move(std::uint32_t unit, std::uint64_t address, base::Bytes size, Access access,
                       Picoseconds now) {
  ++states_[unit].busy;
  moving_[inner_.submit({.address = address, .size = size, .access = access, .arrival = now})] = unit;
}

void UnitSwapper::land(std::uint32_t unit, Picoseconds now) {
  State& state = states_[unit];
  const std::vector<UnitPiece>& pieces = table_.units[unit].pieces;
  const bool all = !state.waiting.empty();
  if (!all && asked_ > 0) {
    paused_.push_back(unit);
    return;
  }
  for (; state.piece < pieces.size(); ++state.piece, state.landed = 0) {
    const UnitPiece& piece = pieces[state.piece];
    const std::uint64_t left = static_cast<std::uint64_t>(piece.size().value) - state.landed;
    const std::uint64_t bytes = all ? left : std::min(left, kLandedAtATime);
    move(unit, piece.offset + state.landed, {static_cast<std::int64_t>(bytes)}, Access::kWrite, now);
    if (all) continue;
    state.landed += bytes;
    if (bytes == left) ++state.piece, state.landed = 0;
    return;
  }
}

void UnitSwapper::answered(Picoseconds now) {
  if (--asked_ > 0) return;
  for (const std::uint32_t unit : std::exchange(paused_, {}))
    // Unless somebody came to wait for it.
    if (states_[unit].place == Place::kLanding && states_[unit].busy == 0) land(unit, now);
}

void UnitSwapper::come(std::uint32_t unit, Picoseconds now) {
  State& state = states_[unit];
  if (state.overwritten) return arrived(unit);
  state.place = Place::kComing;
  const base::Bytes size = table_.units[unit].size;
  ++counts_.swaps;
  counts_.swapped_bytes += size;
  state.transfer = link_.submit(size, LinkDirection::kToBoard, now, !state.waiting.empty());
  on_link_[state.transfer] = unit;
}

void UnitSwapper::arrived(std::uint32_t unit) {
  State& state = states_[unit];
  state.place = Place::kHere;
  state.overwritten = false;
  state.demanded = {-1};
  for (const std::uint32_t waiter : std::exchange(state.waiting, {})) {
    woken_.push_back({waiter, unit});
    ++state.busy;
  }
}

void UnitSwapper::gone(std::uint32_t unit, Picoseconds now) {
  State& state = states_[unit];
  state.dirty = false;
  state.place = Place::kAway;
  for (const std::uint32_t blocked : std::exchange(state.blocks, {}))
    if (--states_[blocked].blocked == 0) come(blocked, now);
  if (state.waiting.empty()) return;
  state.place = Place::kWanted;
  wanted_.push_back(unit);
}

bool UnitSwapper::inner_done(Sequence sequence, Picoseconds now) {
  const auto found = moving_.find(sequence);
  if (found == moving_.end()) return false;
  const std::uint32_t unit = found->second;
  moving_.erase(found);
  State& state = states_[unit];
  if (--state.busy > 0) return true;
  if (state.place == Place::kLanding) {
    if (state.piece == table_.units[unit].pieces.size())
      arrived(unit);
    else
      land(unit, now);
  } else {
    const base::Bytes size = table_.units[unit].size;
    counts_.returned_bytes += size;
    on_link_[link_.submit(size, LinkDirection::kToHost, now, true)] = unit;
  }
  return true;
}

bool UnitSwapper::link_done(const HostLink::Transfer& transfer) {
  const auto found = on_link_.find(transfer.id);
  if (found == on_link_.end()) return false;
  const std::uint32_t unit = found->second;
  on_link_.erase(found);
  State& state = states_[unit];
  const Picoseconds time = transfer.end - transfer.start;
  if (state.place == Place::kLeaving) {
    // Whoever waits for its room waits for all of it.
    const bool waited_for = std::any_of(state.blocks.begin(), state.blocks.end(), [&](std::uint32_t blocked) {
      return !states_[blocked].waiting.empty();
    });
    counts_.transferred(table_.units[unit].layer, transfer.size, time, waited_for ? time : Picoseconds{});
    gone(unit, transfer.end);
    return true;
  }
  const Picoseconds exposed =
      state.demanded.value < 0 ? Picoseconds{} : transfer.end - std::max(state.demanded, transfer.start);
  counts_.transferred(table_.units[unit].layer, transfer.size, time, exposed);
  state.place = Place::kLanding;
  state.piece = 0;
  state.landed = 0;
  land(unit, transfer.end);
  return true;
}

void UnitSwapper::settle(Picoseconds now) {
  for (std::size_t tries = wanted_.size(); tries > 0; --tries) {
    const std::uint32_t unit = wanted_.front();
    wanted_.pop_front();
    if (!make_room(unit, false, now)) wanted_.push_back(unit);
  }
  if (!current_ || !wanted_.empty()) return;
  const std::size_t units = states_.size();
  for (std::size_t ahead = 1; ahead <= std::min<std::size_t>(depth_, units - 1); ++ahead) {
    const auto unit = static_cast<std::uint32_t>((*current_ + ahead) % units);
    if (states_[unit].place == Place::kAway && can_hold(unit) && !make_room(unit, true, now)) return;
  }
}

}  // namespace accelscope::memory
