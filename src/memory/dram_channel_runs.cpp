// Long runs in a channel: what was simulated once is remembered (dram_run_cache.h).
#include <algorithm>

#include "memory/dram_channel.h"

namespace accelscope::memory {
namespace {

// Bursts between two checkpoints. Few enough that a stretch ends before a refresh that is far begins.
constexpr std::uint64_t kStretch = 512;

}  // namespace

// Only reads of this piece, so that all that waits is known by its distance from the next burst.
bool DramChannel::remembers(const DramPiece& piece) const {
  if (period_ == 0 || piece.write || write_mode_ || queued_[1] > 0) return false;
  const auto other = [&](std::uint16_t entry) { return entries_[entry].run != piece.run; };
  for (const Bank& bank : banks_) {
    if (bank.opening != kNone && other(bank.opening)) return false;
    for (std::uint16_t i = bank.lists[0].head; i != kNone; i = entries_[i].next)
      if (other(i)) return false;
  }
  return true;
}

bool DramChannel::same_lap(std::uint64_t first, std::uint64_t second) const {
  return first / map_->bursts_of_channel() == second / map_->bursts_of_channel();
}

std::uint64_t DramChannel::ticks_to_refreshes() const {
  std::uint64_t word = 0;
  for (const PseudoChannel& pseudo_channel : pseudo_channels_) {
    const std::int64_t ticks = std::min(pseudo_channel.refresh_due - now_, DramRunCache::kFar);
    // Due and not yet done: how long ago does not matter.
    word = word << 16U | static_cast<std::uint64_t>(std::max<std::int64_t>(0, ticks));
  }
  return word;
}

void DramChannel::checkpoint(std::int64_t last, std::vector<FinishedBurst>& finished) {
  DramPiece& piece = input_.front();
  if (piece.next < next_checkpoint_) return;
  next_checkpoint_ = (piece.next / kStretch + 1) * kStretch;
  if (!remembers(piece)) {
    recording_ = false;
    return;
  }
  std::vector<std::int32_t> words;
  append_words(piece, words);
  std::optional<std::uint32_t> state = cache_->state_of(words);
  if (!state) {
    recording_ = false;
    return;
  }
  if (recording_) finish_recording(piece, *state);
  bool skipped = false;
  for (;;) {
    const RunStep* step = cache_->step_from({*state, ticks_to_refreshes()});
    if (step == nullptr || piece.left <= step->entered + kStretch || now_ + step->ticks > last ||
        !same_lap(piece.next, piece.next + step->entered))
      break;
    apply(*step, piece, finished);
    state = step->to;
    skipped = true;
  }
  if (skipped) {
    set_words(piece, cache_->words_of(*state));
    next_checkpoint_ = (piece.next / kStretch + 1) * kStretch;
  }
  begin_recording(piece, {*state, ticks_to_refreshes()});
}

void DramChannel::begin_recording(const DramPiece& piece, const DramRunCache::From& from) {
  recording_ = true;
  recorded_.from = from;
  recorded_.next = piece.next;
  recorded_.tick = now_;
  recorded_.last_done = now_;
  recorded_.statistics = statistics_;
  recorded_.pseudo_channels.clear();
  recorded_.refreshes.clear();
  recorded_.latencies.clear();
  for (const PseudoChannel& pseudo_channel : pseudo_channels_) {
    recorded_.pseudo_channels.push_back({pseudo_channel.busy, pseudo_channel.idle});
    recorded_.refreshes.push_back(pseudo_channel.refresh_due);
  }
}

void DramChannel::finish_recording(const DramPiece& piece, std::uint32_t state) {
  recording_ = false;
  RunStep step;
  step.to = state;
  step.ticks = now_ - recorded_.tick;
  // A refresh that was far might have begun in it; and rows begin anew at the end of the memory.
  if (step.ticks >= DramRunCache::kFar || !same_lap(recorded_.next, piece.next)) return;
  step.entered = piece.next - recorded_.next;
  step.finished = recorded_.latencies.size();
  step.last_done = recorded_.last_done - recorded_.tick;
  step.counted = difference(statistics_, recorded_.statistics);
  for (std::size_t i = 0; i < pseudo_channels_.size(); ++i) {
    const PseudoChannel& now = pseudo_channels_[i];
    const RunStep::OfPseudoChannel& before = recorded_.pseudo_channels[i];
    RunStep::OfPseudoChannel& gone = step.pseudo_channels.emplace_back();
    gone.busy = now.busy - before.busy;
    for (std::size_t reason = 0; reason < kIdleReasons; ++reason)
      gone.idle[reason] = now.idle[reason] - before.idle[reason];
    const std::int64_t refreshes = (now.refresh_due - recorded_.refreshes[i]) / refresh_ticks_;
    if (refreshes > 1) return;
    if (refreshes == 1) step.refreshed |= 1U << i;
  }
  std::sort(recorded_.latencies.begin(), recorded_.latencies.end());
  for (const std::int64_t latency : recorded_.latencies) {
    if (step.latencies.empty() || step.latencies.back().first != latency)
      step.latencies.push_back({latency, 0});
    ++step.latencies.back().second;
  }
  cache_->add(recorded_.from, std::move(step));
}

void DramChannel::apply(const RunStep& step, DramPiece& piece, std::vector<FinishedBurst>& finished) {
  if (step.finished > 0)
    finished.push_back({piece.run, static_cast<std::uint32_t>(step.finished), now_ + step.last_done});
  now_ += step.ticks;
  piece.next += step.entered;
  piece.left -= step.entered;
  statistics_.add(step.counted);
  for (std::size_t i = 0; i < pseudo_channels_.size(); ++i) {
    PseudoChannel& pseudo_channel = pseudo_channels_[i];
    pseudo_channel.busy += step.pseudo_channels[i].busy;
    for (std::size_t reason = 0; reason < kIdleReasons; ++reason)
      pseudo_channel.idle[reason] += step.pseudo_channels[i].idle[reason];
    if ((step.refreshed >> i & 1U) != 0) pseudo_channel.refresh_due += refresh_ticks_;
  }
  for (const auto& [latency, times] : step.latencies) burst_latency_.add(latency, times);
}

// ---- the state of a channel as words ----

void DramChannel::append_words(const DramPiece& piece, std::vector<std::int32_t>& words) {
  const auto add = [&](std::int64_t word) { words.push_back(static_cast<std::int32_t>(word)); };
  const auto row = static_cast<std::int64_t>(piece.next % map_->bursts_of_channel() / period_);
  add(static_cast<std::int64_t>(piece.next % period_));
  state_.append_words(now_, words);
  for (const PseudoChannel& pseudo_channel : pseudo_channels_) {
    add(pseudo_channel.refreshing);
    add(pseudo_channel.refresh_bank);
    add(std::max<std::int64_t>(-1, pseudo_channel.refreshed_until - now_));
    add(pseudo_channel.busy_until - now_);
    add(std::max<std::int64_t>(0, pseudo_channel.requests_since - pseudo_channel.busy_until));
    add(pseudo_channel.last_was_write);
  }
  const auto add_entry = [&](std::uint16_t index) {
    const Entry& entry = entries_[index];
    add(static_cast<std::int64_t>(piece.next - bursts_[index]));
    add(now_ - entry.arrival);
    add(static_cast<std::int64_t>(entry.first));
  };
  for (const Bank& bank : banks_) {
    // Rows count from that of the next burst.
    add(bank.row < 0 ? INT32_MIN : bank.row - row);
    add(static_cast<std::int64_t>(bank.cause));
    add(bank.opening != kNone);
    if (bank.opening != kNone) add_entry(bank.opening);
    for (std::uint16_t i = bank.lists[0].head; i != kNone; i = entries_[i].next) add_entry(i);
    add(0);  // no entry is at the next burst
  }
}

void DramChannel::set_words(const DramPiece& piece, std::span<const std::int32_t> words) {
  const auto take = [&] {
    const std::int64_t word = words.front();
    words = words.subspan(1);
    return word;
  };
  const auto row = static_cast<std::int64_t>(piece.next % map_->bursts_of_channel() / period_);
  take();
  words = state_.set_words(now_, words);
  free_.clear();
  for (std::size_t i = entries_.size(); i > 0; --i) free_.push_back(static_cast<std::uint16_t>(i - 1));
  queued_[0] = work_ = 0;
  for (PseudoChannel& pseudo_channel : pseudo_channels_) {
    pseudo_channel.refreshing = take() != 0;
    pseudo_channel.refresh_bank = static_cast<std::uint32_t>(take());
    pseudo_channel.refreshed_until = now_ + take();
    pseudo_channel.busy_until = now_ + take();
    pseudo_channel.requests_since = pseudo_channel.busy_until + take();
    pseudo_channel.last_was_write = take() != 0;
    pseudo_channel.reading = pseudo_channel.opening = pseudo_channel.open = pseudo_channel.closing = 0;
    pseudo_channel.requests = 0;
  }
  const std::int64_t now = now_;
  const auto take_entry = [&](std::uint32_t bank, std::int64_t distance) {
    const std::uint64_t burst = piece.next - static_cast<std::uint64_t>(distance);
    // Only what was counted since it was empty may look at this.
    const std::int64_t since = of_bank(bank).requests_since;
    const std::uint16_t index = enqueue(piece, burst, map_->spot_of(burst));
    of_bank(bank).requests_since = since;
    entries_[index].arrival = now - take();
    entries_[index].first = static_cast<First>(take());
    // They were let in one after the other.
    entries_[index].age = burst;
    return index;
  };
  for (std::uint32_t bank = 0; bank < banks_.size(); ++bank) {
    Bank& state = banks_[bank];
    state.lists[0] = {};
    const std::int64_t relative = take();
    state.row = relative == INT32_MIN ? -1 : row + relative;
    if (state.row >= 0) of_bank(bank).open |= bit_of(bank);
    state.cause = static_cast<Idle>(take());
    state.opening = kNone;
    if (take() != 0) {
      const std::uint16_t index = take_entry(bank, take());
      remove(bank, index);
      entries_[index].next = kNone;
      state.opening = index;
      of_bank(bank).opening |= bit_of(bank);
    }
    for (std::int64_t distance = take(); distance != 0; distance = take()) take_entry(bank, distance);
  }
  find_next_refresh();
  next_age_ = piece.next;
  if (next_age_ >= kMostAge) renumber();
  plan_all();
  next_ = nullptr;
}

}  // namespace accelscope::memory
