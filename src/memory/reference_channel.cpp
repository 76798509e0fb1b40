#include "memory/reference_channel.h"

#include <algorithm>

namespace accelscope::memory {
namespace {

constexpr std::size_t kQueue = 32;  // the reference accepts while the size does not exceed it: 33
constexpr double kHighWatermark = 0.8;
constexpr double kLowWatermark = 0.2;
constexpr std::int64_t kClosed = -1;
constexpr std::int64_t kReferenceLongAgo = -1'000'000;

std::int64_t whole_clocks(HalfClocks time) {
  return time.value / 2;
}

}  // namespace

ReferenceChannel::ReferenceChannel(const DramPreset& preset) : times_(preset.times) {
  const DramOrganisation& o = preset.organisation;
  const std::size_t groups = std::size_t{o.pseudo_channels} * o.bank_groups;
  of_pseudo_channel_.resize(o.pseudo_channels);
  of_group_.resize(groups);
  of_bank_.resize(groups * o.banks_per_group);
  open_row_.assign(of_bank_.size(), kClosed);
  activates_of_window_.resize(o.pseudo_channels);
  for (auto& window : activates_of_window_) window.fill(kReferenceLongAgo);
  window_next_.assign(o.pseudo_channels, 0);
}

bool ReferenceChannel::send(const ReferenceBurst& burst) {
  ReferenceBurst queued = burst;
  queued.arrival = clock_;
  if (!burst.write) {
    const auto same = [&](const ReferenceBurst& other) { return other.address == burst.address; };
    if (std::any_of(writes_.begin(), writes_.end(), same)) {
      finished_.push_back({burst.owner, clock_ + 1});
      return true;
    }
  }
  std::vector<ReferenceBurst>& queue = burst.write ? writes_ : reads_;
  if (queue.size() > kQueue) return false;
  queue.push_back(queued);
  return true;
}

std::optional<std::uint32_t> ReferenceChannel::tick() {
  ++clock_;
  std::optional<std::uint32_t> owner;
  if (!finished_.empty() && finished_.front().departure <= clock_) {
    owner = finished_.front().owner;
    finished_.pop_front();
  }
  if (!schedule(opening_, false)) {
    choose_mode();
    schedule(write_mode_ ? writes_ : reads_, true);
  }
  return owner;
}

void ReferenceChannel::choose_mode() {
  const auto waiting = static_cast<double>(writes_.size());
  if (!write_mode_)
    write_mode_ = waiting > kHighWatermark * kQueue || reads_.empty();
  else
    write_mode_ = waiting >= kLowWatermark * kQueue || reads_.empty();
}

ReferenceChannel::Command ReferenceChannel::next_command(const ReferenceBurst& burst) const {
  if (open_row_[burst.bank] == kClosed) return Command::kActivate;
  if (open_row_[burst.bank] != burst.row) return Command::kPrecharge;
  return burst.write ? Command::kWrite : Command::kRead;
}

bool ReferenceChannel::ready(const ReferenceBurst& burst, Command command) const {
  const auto index = static_cast<std::size_t>(command);
  if (clock_ < of_bank_[burst.bank][index] || clock_ < of_group_[burst.group][index] ||
      clock_ < of_pseudo_channel_[burst.pseudo_channel][index])
    return false;
  if (command == Command::kRead || command == Command::kWrite) return true;
  if (clock_ < row_commands_from_) return false;
  if (command == Command::kPrecharge) return true;
  const std::uint32_t oldest = window_next_[burst.pseudo_channel];
  return clock_ >= activates_of_window_[burst.pseudo_channel][oldest] + whole_clocks(times_.faw);
}

std::size_t ReferenceChannel::best_of(const std::vector<ReferenceBurst>& queue) const {
  std::size_t best = 0;
  bool best_ready = ready(queue[0], next_command(queue[0]));
  for (std::size_t i = 1; i < queue.size(); ++i) {
    const bool is_ready = ready(queue[i], next_command(queue[i]));
    if (is_ready == best_ready ? queue[i].arrival < queue[best].arrival : is_ready) {
      best = i;
      best_ready = is_ready;
    }
  }
  return best;
}

bool ReferenceChannel::schedule(std::vector<ReferenceBurst>& queue, bool guarded) {
  if (queue.empty()) return false;
  const std::size_t best = best_of(queue);
  const Command command = next_command(queue[best]);
  if (!ready(queue[best], command)) return false;
  if (guarded && command == Command::kPrecharge) {
    // A row that was opened for somebody stays until that one has read.
    const auto same = [&](const ReferenceBurst& other) { return other.bank == queue[best].bank; };
    if (std::any_of(opening_.begin(), opening_.end(), same)) return false;
  }
  issue(queue, best, command);
  return true;
}

void ReferenceChannel::issue(std::vector<ReferenceBurst>& queue, std::size_t which, Command command) {
  const ReferenceBurst burst = queue[which];
  keep_distance(burst, command);
  switch (command) {
    case Command::kActivate:
      ++activates_;
      open_row_[burst.bank] = burst.row;
      queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(which));
      opening_.push_back(burst);
      return;
    case Command::kPrecharge:
      ++precharges_;
      open_row_[burst.bank] = kClosed;
      return;
    case Command::kRead:
      ++bursts_read_;
      finished_.push_back({burst.owner, clock_ + whole_clocks(times_.cl) + whole_clocks(times_.bl)});
      break;
    case Command::kWrite:
      ++bursts_written_;
      break;
  }
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(which));
}

void ReferenceChannel::keep_distance(const ReferenceBurst& burst, Command command) {
  const auto not_before = [&](Earliest& earliest, Command following, std::int64_t distance) {
    std::int64_t& time = earliest[static_cast<std::size_t>(following)];
    time = std::max(time, clock_ + distance);
  };
  Earliest& pseudo_channel = of_pseudo_channel_[burst.pseudo_channel];
  Earliest& group = of_group_[burst.group];
  Earliest& bank = of_bank_[burst.bank];
  const std::int64_t data_bus = std::max(whole_clocks(times_.bus), whole_clocks(times_.ccd_s));
  const std::int64_t written = whole_clocks(times_.cwl) + whole_clocks(times_.bl);
  switch (command) {
    case Command::kActivate: {
      row_commands_from_ = clock_ + whole_clocks(times_.activate_command);
      not_before(pseudo_channel, Command::kActivate, whole_clocks(times_.rrd_s));
      not_before(group, Command::kActivate, whole_clocks(times_.rrd_l));
      not_before(bank, Command::kActivate, whole_clocks(times_.rc));
      not_before(bank, Command::kRead, whole_clocks(times_.rcd_read));
      not_before(bank, Command::kWrite, whole_clocks(times_.rcd_write));
      not_before(bank, Command::kPrecharge, whole_clocks(times_.ras));
      std::uint32_t& next = window_next_[burst.pseudo_channel];
      activates_of_window_[burst.pseudo_channel][next] = clock_;
      next = (next + 1) % 4;
      break;
    }
    case Command::kPrecharge:
      not_before(bank, Command::kActivate, whole_clocks(times_.rp));
      break;
    case Command::kRead:
      not_before(pseudo_channel, Command::kRead, data_bus);
      not_before(pseudo_channel, Command::kWrite, whole_clocks(times_.rtw));
      not_before(group, Command::kRead, whole_clocks(times_.ccd_l));
      not_before(bank, Command::kPrecharge, whole_clocks(times_.rtp));
      break;
    case Command::kWrite:
      not_before(pseudo_channel, Command::kWrite, data_bus);
      not_before(pseudo_channel, Command::kRead, written + whole_clocks(times_.wtr_s));
      not_before(group, Command::kWrite, whole_clocks(times_.ccd_l));
      not_before(group, Command::kRead, written + whole_clocks(times_.wtr_l));
      not_before(bank, Command::kPrecharge, written + whole_clocks(times_.wr));
      break;
  }
}

}  // namespace accelscope::memory
