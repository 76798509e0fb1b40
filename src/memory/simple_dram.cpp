#include "memory/simple_dram.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <queue>
#include <tuple>
#include <vector>

#include "memory/completion_queue.h"
#include "memory/simple_bank.h"
#include "memory/slot_pool.h"

namespace accelscope::memory {
namespace {

using base::Picoseconds;

constexpr std::uint64_t kSimpleLineBytes = 64;
constexpr std::int64_t kClock = 833;  // picoseconds
constexpr std::int64_t kCas = 16 * kClock;
constexpr std::int64_t kOpen = 16 * kClock;
constexpr std::int64_t kPrecharge = 16 * kClock;
constexpr std::int64_t kTransfer = 4 * kClock;
constexpr std::uint32_t kSlots = 16;
constexpr std::uint32_t kBanks = 16;
constexpr std::uint32_t kRowBits = 16;

// Where a line goes.
struct Place {
  std::uint32_t lane = 0;
  std::uint32_t bank = 0;
  std::uint64_t row = 0;
};

// First come, first served, by lines.
class Permits {
 public:
  explicit Permits(std::uint32_t count) : free_(count) {}
  bool acquire(std::uint32_t line) {
    if (free_ == 0) {
      waiting_.push_back(line);
      return false;
    }
    --free_;
    return true;
  }
  // Who has it next.
  std::optional<std::uint32_t> release() {
    if (waiting_.empty()) {
      ++free_;
      return std::nullopt;
    }
    const std::uint32_t line = waiting_.front();
    waiting_.pop_front();
    return line;
  }

 private:
  std::uint32_t free_;
  std::deque<std::uint32_t> waiting_;
};

// Lines of a request that have no slot yet.
struct Unsent {
  std::uint32_t transfer = 0;
  std::uint64_t line = 0;
  std::uint64_t left = 0;
};

// What lines compete for: a channel, or all of them where a model does not tell them apart.
struct Lane {
  Lane(std::uint32_t permits, std::uint32_t bank_count)
      : command(permits), data(permits), banks(bank_count) {}

  std::array<std::uint32_t, 2> free_slots{kSlots, kSlots};  // of reads and of writes
  std::array<std::deque<Unsent>, 2> unsent;
  Permits command;
  Permits data;
  std::vector<SimpleBank> banks;
  ChannelStatistics statistics;
};

struct Transfer {
  Sequence sequence = 0;
  bool write = false;
  bool posted = false;
  Picoseconds arrival{};
  std::uint64_t first_line = 0;
  std::uint64_t lines = 0;
  std::uint64_t unsent = 0;
  std::uint64_t unfinished = 0;
  Picoseconds first{-1};
};

// A task with what it does next.
enum class Step : std::uint8_t {
  kArrive,
  kTakeSlot,
  kTakeCommand,
  kCommand,
  kCommanded,
  kGranted,
  kColumnRead,
  kData,
  kMoved,
  kPrecharged,
};

struct Task {
  Step step = Step::kArrive;
  std::uint32_t index = 0;  // of a transfer, of a lane, of a line, or lane * banks + bank
};

struct Timer {
  std::int64_t time = 0;
  std::uint64_t number = 0;
  Task task;
  bool operator>(const Timer& other) const {
    return time != other.time ? time > other.time : number > other.number;
  }
};

struct Line {
  std::uint32_t transfer = 0;
  Place place;
  std::int64_t taken = 0;
};

class SimpleDram final : public Timing {
 public:
  SimpleDram(SimpleModel model, std::uint32_t channels) : model_(model), channels_(channels) {
    const bool apart = model == SimpleModel::kLineRows;
    const std::uint32_t banks = model == SimpleModel::kNaive ? 0 : apart ? kBanks : kBanks * channels;
    for (std::uint32_t lane = 0; lane < (apart ? channels : 1); ++lane)
      lanes_.emplace_back(apart ? 1 : channels, banks);
  }

  Sequence submit(const Request& request) override;
  std::optional<Completion> next(Picoseconds limit) override;
  Picoseconds now() const override { return {now_}; }
  base::Bytes capacity() const override;
  std::vector<ModelStatistics> statistics() const override;
  void add_activity(Activity& activity) const override {
    const std::int64_t buses = lanes_.size() == 1 ? channels_ : 1;
    for (const Lane& lane : lanes_)
      activity.channels.push_back(
          {static_cast<std::int64_t>(lane.statistics.reads + lane.statistics.writes) * kTransfer / buses});
  }

 private:
  Place place_of(std::uint64_t line, bool write) const;
  void run(Task task);
  void arrive(std::uint32_t transfer);
  void take_slot(std::uint32_t lane, bool write);
  void commanded(std::uint32_t line);
  void granted(std::uint32_t line);
  void release_bank(const Place& place);
  void take_data(std::uint32_t line);
  void moved(std::uint32_t line);
  void grant(Lane& lane, const SimpleBank::Grant& grant);
  void finish(std::uint32_t transfer);
  void at(std::int64_t delay, Task task) { timers_.push({now_ + delay, timers_made_++, task}); }
  void when_ready(Task task) { ready_.push_back(task); }
  std::uint32_t bank_index(const Place& place) const {
    return place.lane * static_cast<std::uint32_t>(lanes_.front().banks.size()) + place.bank;
  }

  SimpleModel model_;
  std::uint32_t channels_;
  std::vector<Lane> lanes_;
  SlotPool<Transfer> transfers_;
  SlotPool<Line> lines_;
  std::deque<Task> ready_;
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  std::uint64_t timers_made_ = 0;
  CompletionQueue done_;
  std::int64_t now_ = 0;
  Sequence next_sequence_ = 0;
  ModelStatistics statistics_;
};

Place SimpleDram::place_of(std::uint64_t line, bool write) const {
  constexpr std::uint64_t kRows = (std::uint64_t{1} << kRowBits) - 1;
  switch (model_) {
    case SimpleModel::kNaive:
      return {};
    case SimpleModel::kLineRows: {
      const std::uint64_t of_channel = line / channels_;
      return {static_cast<std::uint32_t>(line % channels_), static_cast<std::uint32_t>(of_channel % kBanks),
              (of_channel / kBanks) & kRows};
    }
    case SimpleModel::kWindowRows: {
      // Writes take their bank from other bits than reads; that is how it was.
      const std::uint64_t from = write ? line >> 4U : line;
      return {0, static_cast<std::uint32_t>(from % (std::uint64_t{kBanks} * channels_)),
              (line >> 8U) & kRows};
    }
  }
  return {};
}

Sequence SimpleDram::submit(const Request& request) {
  const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(1, request.size.value));
  const std::uint64_t lines =
      (request.address % kSimpleLineBytes + size + kSimpleLineBytes - 1) / kSimpleLineBytes;
  const bool write = request.access == Access::kWrite;
  const Transfer transfer{.sequence = next_sequence_++,
                          .write = write,
                          .posted = request.posted && write,
                          .arrival = {std::max(now_, request.arrival.value)},
                          .first_line = request.address / kSimpleLineBytes,
                          .lines = lines,
                          .unsent = lines,
                          .unfinished = lines};
  (write ? statistics_.traffic.writes : statistics_.traffic.reads) += 1;
  (write ? statistics_.traffic.bytes_written : statistics_.traffic.bytes_read) += request.size;
  statistics_.traffic.bytes_moved += {static_cast<std::int64_t>(lines * kSimpleLineBytes)};
  const std::uint32_t index = transfers_.add(transfer);
  if (transfer.arrival.value > now_)
    at(transfer.arrival.value - now_, {Step::kArrive, index});
  else
    when_ready({Step::kArrive, index});
  return transfer.sequence;
}

void SimpleDram::run(Task task) {
  switch (task.step) {
    case Step::kArrive:
      return arrive(task.index);
    case Step::kTakeSlot:
      return take_slot(task.index / 2, task.index % 2 == 1);
    case Step::kTakeCommand:
      if (lanes_[lines_[task.index].place.lane].command.acquire(task.index))
        at(kClock, {Step::kCommanded, task.index});
      return;
    case Step::kCommand:
      return at(kClock, {Step::kCommanded, task.index});
    case Step::kCommanded:
      return commanded(task.index);
    case Step::kGranted:
      return granted(task.index);
    case Step::kColumnRead:
      if (model_ != SimpleModel::kNaive) release_bank(lines_[task.index].place);
      return take_data(task.index);
    case Step::kData:
      return at(kTransfer, {Step::kMoved, task.index});
    case Step::kMoved:
      return moved(task.index);
    case Step::kPrecharged: {
      const auto banks = static_cast<std::uint32_t>(lanes_.front().banks.size());
      Lane& lane = lanes_[task.index / banks];
      if (const auto next_one = lane.banks[task.index % banks].precharged()) grant(lane, *next_one);
    }
  }
}

void SimpleDram::arrive(std::uint32_t index) {
  const auto [first_line, lines, write] =
      std::tuple(transfers_[index].first_line, transfers_[index].lines, transfers_[index].write);
  const std::uint64_t lanes = lanes_.size();
  for (std::uint64_t i = 0; i < std::min(lanes, lines); ++i) {
    const std::uint64_t line = first_line + i;
    const std::uint32_t lane = static_cast<std::uint32_t>(line % lanes);
    const std::size_t kind = write ? 1 : 0;
    lanes_[lane].unsent[kind].push_back({index, line, (lines - i - 1) / lanes + 1});
    while (lanes_[lane].free_slots[kind] > 0 && !lanes_[lane].unsent[kind].empty()) take_slot(lane, write);
  }
}

void SimpleDram::take_slot(std::uint32_t lane_index, bool write) {
  Lane& lane = lanes_[lane_index];
  std::deque<Unsent>& waiting = lane.unsent[write ? 1 : 0];
  if (waiting.empty() || lane.free_slots[write ? 1 : 0] == 0) return;
  --lane.free_slots[write ? 1 : 0];
  Unsent& unsent = waiting.front();
  const std::uint32_t owner = unsent.transfer;
  const std::uint32_t line =
      lines_.add({.transfer = owner, .place = place_of(unsent.line, write), .taken = now_});
  unsent.line += lanes_.size();
  if (--unsent.left == 0) waiting.pop_front();
  if (--transfers_[owner].unsent == 0 && transfers_[owner].posted) finish(owner);
  run({Step::kTakeCommand, line});
}

void SimpleDram::commanded(std::uint32_t index) {
  const Place place = lines_[index].place;
  Lane& lane = lanes_[place.lane];
  if (const auto next_one = lane.command.release()) when_ready({Step::kCommand, *next_one});
  if (model_ == SimpleModel::kNaive) return granted(index);
  if (const auto now_granted = lane.banks[place.bank].acquire(index, place.row)) grant(lane, *now_granted);
}

void SimpleDram::grant(Lane& lane, const SimpleBank::Grant& grant) {
  switch (grant.opened) {
    case SimpleBank::Opened::kHit:
      ++lane.statistics.row_hits;
      return when_ready({Step::kGranted, grant.line});
    case SimpleBank::Opened::kMiss:
      ++lane.statistics.row_misses;
      ++lane.statistics.activates;
      return at(kOpen, {Step::kGranted, grant.line});
    case SimpleBank::Opened::kConflict:
      ++lane.statistics.row_conflicts;
      ++lane.statistics.activates;
      ++lane.statistics.precharges;
      return at(kPrecharge + kOpen, {Step::kGranted, grant.line});
  }
}

void SimpleDram::granted(std::uint32_t index) {
  const Line& line = lines_[index];
  if (!transfers_[line.transfer].write) return at(kCas, {Step::kColumnRead, index});
  if (model_ != SimpleModel::kNaive) release_bank(line.place);
  take_data(index);
}

void SimpleDram::release_bank(const Place& place) {
  Lane& lane = lanes_[place.lane];
  if (const auto next_one = lane.banks[place.bank].release()) return grant(lane, *next_one);
  ++lane.statistics.precharges;
  at(kPrecharge, {Step::kPrecharged, bank_index(place)});
}

void SimpleDram::take_data(std::uint32_t index) {
  if (lanes_[lines_[index].place.lane].data.acquire(index)) run({Step::kData, index});
}

void SimpleDram::moved(std::uint32_t index) {
  const Line line = lines_[index];
  lines_.remove(index);
  Lane& lane = lanes_[line.place.lane];
  Transfer& transfer = transfers_[line.transfer];
  if (const auto next_one = lane.data.release()) when_ready({Step::kData, *next_one});
  ++lane.free_slots[transfer.write ? 1 : 0];
  when_ready({Step::kTakeSlot, line.place.lane * 2 + (transfer.write ? 1U : 0U)});
  ++(transfer.write ? lane.statistics.writes : lane.statistics.reads);
  if (!transfer.write) statistics_.burst_latency.add((now_ - line.taken) / kClock);
  if (transfer.first.value < 0) transfer.first = {now_};
  if (--transfer.unfinished > 0) return;
  if (!transfer.posted) finish(line.transfer);
  transfers_.remove(line.transfer);
}

void SimpleDram::finish(std::uint32_t index) {
  const Transfer& transfer = transfers_[index];
  const Picoseconds time{now_};
  done_.add({transfer.sequence, time, transfer.first.value < 0 ? time : transfer.first});
  statistics_.request_latency.add((now_ - transfer.arrival.value + kClock - 1) / kClock);
}

std::optional<Completion> SimpleDram::next(Picoseconds limit) {
  for (;;) {
    while (!ready_.empty()) {
      const Task task = ready_.front();
      ready_.pop_front();
      run(task);
    }
    if (!done_.empty()) return done_.take(limit);
    if (timers_.empty() || timers_.top().time > limit.value) break;
    now_ = timers_.top().time;
    for (; !timers_.empty() && timers_.top().time == now_; timers_.pop())
      ready_.push_back(timers_.top().task);
  }
  if (limit != Picoseconds::max()) now_ = std::max(now_, limit.value);
  return std::nullopt;
}

base::Bytes SimpleDram::capacity() const {
  constexpr auto kBankBytes = static_cast<std::int64_t>(kSimpleLineBytes << kRowBits);
  switch (model_) {
    case SimpleModel::kNaive:
      return base::Bytes::max();
    case SimpleModel::kLineRows:
      return {kBankBytes * kBanks * channels_};
    case SimpleModel::kWindowRows:
      return {kBankBytes * 256};
  }
  return {};
}

std::vector<ModelStatistics> SimpleDram::statistics() const {
  ModelStatistics result = statistics_;
  result.name = name_of(model_);
  result.elapsed = now();
  result.tick_femtoseconds = kClock * 1000;
  for (const Lane& lane : lanes_) {
    ChannelStatistics of_lane = lane.statistics;
    of_lane.elapsed_ticks = now_ / kClock * (lanes_.size() == 1 ? channels_ : 1);
    of_lane.busy_ticks =
        std::min(of_lane.elapsed_ticks,
                 static_cast<std::int64_t>(of_lane.reads + of_lane.writes) * (kTransfer / kClock));
    result.channels.push_back(of_lane);
  }
  return {result};
}

constexpr std::array<std::string_view, 3> kModelNames{"naive", "simple", "simple-window"};

}  // namespace

std::string_view name_of(SimpleModel model) {
  return kModelNames[static_cast<std::size_t>(model)];
}

std::optional<SimpleModel> simple_model_named(std::string_view name) {
  const auto* const found = std::find(kModelNames.begin(), kModelNames.end(), name);
  if (found == kModelNames.end()) return std::nullopt;
  return static_cast<SimpleModel>(found - kModelNames.begin());
}

base::Result<std::unique_ptr<Timing>> make_simple_dram(SimpleModel model, std::uint32_t channels) {
  if (channels == 0 || channels > 64 || !std::has_single_bit(channels))
    return base::fail(base::ErrorCode::kUsage,
                      "{} channels: the model `{}` takes a power of two from 1 to 64", channels,
                      name_of(model));
  return std::make_unique<SimpleDram>(model, channels);
}

}  // namespace accelscope::memory
