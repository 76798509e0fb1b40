#include "capture/collector.h"

#include <algorithm>
#include <cstring>
#include <system_error>

namespace accelscope::capture {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;
using device::Address;
using recorder::BufferHeader;
using recorder::DropReason;
using recorder::Gate;

constexpr std::chrono::microseconds kNap{20};

// Vain looks of a thread that is in a hurry, before it sleeps: there is often more at once, and a nap takes
// several times as long as it is asked to.
constexpr std::uint32_t kLooks = 64;

// Of the manager, between two looks at the lanes. Every nap that ends takes a processor from a producer that
// could use it, so naps grow until a look finds about one full buffer of a lane: the producer has others to
// go on with. While some lane is short of buffers, and for some looks afterwards, both threads hurry.
class Rest {
 public:
  // `most`: full buffers that one lane had at this look. nap(time) sleeps.
  template <class Nap>
  void after_look(std::uint32_t most, bool some_lane_is_short, Nap&& nap) {
    vain_looks_ = most == 0 ? vain_looks_ + 1 : 0;
    looks_since_short_ = some_lane_is_short ? 0 : looks_since_short_ + 1;
    if (most > 1) nap_ = std::max(nap_ / 2, kNap);
    if (in_a_hurry() && vain_looks_ == 0) return;
    if (in_a_hurry() && vain_looks_ <= kLooks) return std::this_thread::yield();
    nap(in_a_hurry() ? kNap : nap_);
    if (vain_looks_ > 0 && vain_looks_ % kNapsOfALength == 0) nap_ = std::min(2 * nap_, kLongestNap);
  }
  bool in_a_hurry() const { return looks_since_short_ <= kLooks; }

 private:
  static constexpr std::uint32_t kNapsOfALength = 4;
  // A lane's buffers last as long where a record is made every microsecond.
  static constexpr std::chrono::microseconds kLongestNap{4000};
  std::uint32_t vain_looks_ = 0;
  std::uint32_t looks_since_short_ = kLooks;
  std::chrono::microseconds nap_ = kNap;
};

constexpr std::uint64_t item_of(std::size_t lane, std::uint32_t buffer) {
  return std::uint64_t{lane} << 32U | buffer;
}
constexpr std::size_t lane_in(std::uint64_t item) {
  return item >> 32U;
}
constexpr std::uint32_t buffer_in(std::uint64_t item) {
  return static_cast<std::uint32_t>(item);
}

}  // namespace

Result<std::unique_ptr<Collector>> Collector::make(device::DeviceMemory& memory,
                                                   const std::vector<PoolSpec>& pools,
                                                   const CollectorOptions& options, TakeRecords take) {
  const Watermarks& marks = options.watermarks;
  if (marks.low == 0 || marks.low > marks.high || marks.high > recorder::kLaneBuffers)
    return base::fail(ErrorCode::kUsage, "watermarks need 1 <= low <= high <= {}", recorder::kLaneBuffers);
  std::unique_ptr<Collector> collector(new Collector(memory, options, std::move(take)));
  for (const PoolSpec& pool : pools) {
    ACCELSCOPE_CHECK(collector->pools_.add(pool));
  }
  for (std::size_t lane = 0; lane < collector->pools_.lanes(); ++lane) {
    const PoolSpec& spec = collector->pools_.spec_of(lane);
    collector->collected_.push_back({.stream = {.kind = spec.kind,
                                                .record_bytes = spec.record_bytes,
                                                .records_per_buffer = spec.records_per_buffer,
                                                .producer = collector->pools_.producer_of(lane),
                                                .generation = options.generation}});
  }
  collector->pools_.supply();
  return collector;
}

Collector::~Collector() {
  if (manager_.joinable()) stop();
}

std::optional<WriterParts> Collector::writer_parts(recorder::RecordKind kind, std::uint32_t producer) const {
  const std::optional<std::size_t> lane = pools_.find(kind, producer);
  if (!lane) return std::nullopt;
  return pools_.writer_parts(*lane);
}

Status Collector::start() {
  if (pools_.lanes() == 0) return {};  // nobody records: no threads
  try {
    collector_ = std::thread([this] { run_collector(); });
    manager_ = std::thread([this] { run_manager(); });
  } catch (const std::system_error& error) {
    end_collector();
    if (collector_.joinable()) collector_.join();
    return base::fail(ErrorCode::kInternal, "no thread for the collector: {}", error.what());
  }
  return {};
}

void Collector::poll() {
  polled_ = true;
  take_full_buffers();
  while (collect_one()) {
  }
  take_back_empty_buffers();
  pools_.supply();
}

CollectorReport Collector::stop(Producers producers) {
  if (producers == Producers::kFlush) {
    const auto limit = Clock::now() + options_.limits.flush;
    while (!pools_.all_flushed() && Clock::now() < limit) std::this_thread::sleep_for(kNap);
    flush_limit_fired_ = !pools_.all_flushed();
  }
  let_producers_go();
  drain_until_ = Clock::now() + options_.limits.drain;
  end_nap();
  if (manager_.joinable()) manager_.join();
  if (collector_.joinable()) collector_.join();
  if (manager_error_ || collector_error_ || polled_) finish_what_is_left();
  if (producers == Producers::kGone) take_unfinished_buffers();
  return report(producers);
}

// --- whoever manages

void Collector::run_manager() {
  try {
    manage();
  } catch (...) {
    manager_error_ = error_of_exception("the managing thread");
    let_producers_go();
  }
  end_collector();
}

void Collector::end_collector() {
  manager_ended_.store(true, std::memory_order_release);
  wake_collector();
}

void Collector::wake_collector() {
  handed_on_.fetch_add(1, std::memory_order_release);
  handed_on_.notify_one();
}

void Collector::manage() {
  Rest rest;
  for (;;) {
    // Before looking, so that what was handed over before the stop is seen.
    const bool last = stopping_.load(std::memory_order_acquire);
    bool moved = take_back_empty_buffers();
    const std::uint32_t most = take_full_buffers();
    if (most > 0) wake_collector();
    moved |= most > 0;
    // Somebody has to go on collecting, or producers would have to wait.
    if (collector_ended_.load(std::memory_order_acquire)) moved |= collect_one();
    if (!last) pools_.supply();  // afterwards no more: a producer that goes on would never be done with
    run_gate();
    if (last && !moved) break;
    if (last) continue;
    rest.after_look(most, frozen_since_ || pools_.some_lane_is_short(),
                    [this](std::chrono::microseconds time) { nap(time); });
    in_a_hurry_.store(rest.in_a_hurry(), std::memory_order_relaxed);
  }
}

void Collector::nap(std::chrono::microseconds time) {
  std::unique_lock lock(nap_mutex_);
  nap_ends_.wait_for(lock, time, [this] { return stopping_.load(std::memory_order_acquire); });
}

// Under the mutex, so that a nap that is about to begin is not missed.
void Collector::end_nap() {
  {
    const std::lock_guard lock(nap_mutex_);
    stopping_.store(true, std::memory_order_release);
  }
  nap_ends_.notify_one();
}

std::uint32_t Collector::take_full_buffers() {
  std::uint32_t most = 0;
  for (std::size_t lane = 0; lane < pools_.lanes(); ++lane) {
    std::uint32_t taken = 0;
    while (const std::optional<std::uint32_t> buffer = pools_.take_full(lane)) {
      // Never full: it has a place for every buffer there is.
      to_collector_->push(item_of(lane, *buffer));
      ++taken;
    }
    most = std::max(most, taken);
  }
  return most;
}

bool Collector::take_back_empty_buffers() {
  bool moved = false;
  std::uint64_t item = 0;
  while (to_manager_->pop(item)) {
    pools_.give_back(lane_in(item), buffer_in(item));
    moved = true;
  }
  return moved;
}

// Frozen is set before contended is cleared, so that no producer ever sees neither; and the freeze ends when
// all buffers that were full have come back, or when its limit has passed.
void Collector::run_gate() {
  if (pools_.lanes() == 0) return;
  const Address contended = pools_.gate() + offsetof(Gate<>, contended);
  if (memory_.load32(contended) != 0) {
    if (!frozen_since_) freeze(true);
    memory_.store32(contended, 0);
  } else if (frozen_since_ && pools_.away() == 0) {
    freeze(false);
  }
  if (frozen_since_ && Clock::now() - *frozen_since_ > options_.limits.freeze) {
    ++freeze_limits_fired_;
    freeze(false);
  }
}

void Collector::freeze(bool on) {
  memory_.store32(pools_.gate() + offsetof(Gate<>, frozen), on ? 1 : 0);
  if (on) {
    ++freezes_;
    frozen_since_ = Clock::now();
  } else {
    frozen_ += Clock::now() - *frozen_since_;
    frozen_since_.reset();
  }
}

// Whoever waits for a buffer now waits no longer, and nobody begins to.
void Collector::let_producers_go() {
  if (pools_.lanes() > 0) memory_.store32(pools_.gate() + offsetof(Gate<>, stopped), 1);
}

// --- whoever collects

void Collector::run_collector() {
  try {
    collect();
  } catch (...) {
    collector_error_ = error_of_exception("the collecting thread");
    collector_ended_.store(true, std::memory_order_release);
  }
}

void Collector::collect() {
  std::uint32_t vain_looks = 0;
  for (;;) {
    // Before looking, so that the end of a wait is not missed.
    const std::uint32_t handed_on = handed_on_.load(std::memory_order_acquire);
    const bool last = manager_ended_.load(std::memory_order_acquire);
    if (collect_one()) {
      vain_looks = 0;
      continue;
    }
    if (last) return;
    if (++vain_looks <= kLooks && in_a_hurry_.load(std::memory_order_relaxed)) {
      std::this_thread::yield();
      continue;
    }
    handed_on_.wait(handed_on, std::memory_order_acquire);
    vain_looks = 0;
  }
}

bool Collector::collect_one() {
  if (!in_hand_) {
    std::uint64_t item = 0;
    if (!to_collector_->pop(item)) return false;
    in_hand_ = item;
  }
  const std::size_t lane = lane_in(*in_hand_);
  const std::span<const std::byte> bytes =
      memory_.read(pools_.address_of(lane, buffer_in(*in_hand_)), pools_.buffer_bytes(lane), copy_);
  BufferHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  Collected& collected = collected_[lane];
  if (collected.stream.is_expected(header)) {
    const std::span<const std::byte> records =
        bytes.subspan(sizeof header, std::size_t{header.count} * header.record_bytes);
    collected.stream.follow(header, records);
    hand_on(collected, header, records);
  } else {
    ++collected.stream.refused;
  }
  to_manager_->push(*in_hand_);
  in_hand_.reset();
  return true;
}

void Collector::hand_on(Collected& lane, const BufferHeader& header, std::span<const std::byte> records) {
  const bool has_sink = !sink_error_ && !collector_error_;
  if (has_sink && is_late()) {
    drain_limit_fired_ = true;
    lane.late += header.count;
    return;
  }
  if (has_sink)
    if (const Status taken = call_sink(take_, header, records); !taken) sink_error_ = taken.error();
  const bool was_taken = has_sink && !sink_error_;
  (was_taken ? lane.records : lane.sink_failed) += header.count;
}

bool Collector::is_late() const {
  return stopping_.load(std::memory_order_acquire) && Clock::now() > drain_until_;
}

// --- stop(), when both threads have ended

// A thread died: what it would have done is done here, as far as it can be. A fault of the memory that passes
// shall cost nothing more, so there is a second try.
void Collector::finish_what_is_left() {
  constexpr int kTries = 2;
  for (int i = 0; i < kTries; ++i) {
    try {
      take_full_buffers();
      while (collect_one()) {
      }
      return;
    } catch (...) {
      if (!collector_error_) collector_error_ = error_of_exception("the end of collecting");
    }
  }
}

// A producer that was gone before it had written the header left none, or that of an earlier use, and no
// records: nothing was handed over that could be refused.
void Collector::take_unfinished_buffers() {
  for (std::size_t lane = 0; lane < pools_.lanes(); ++lane) {
    const std::optional<std::uint32_t> buffer = pools_.take_unfinished(lane);
    if (!buffer) continue;
    const std::uint32_t magic =
        memory_.load32(pools_.address_of(lane, *buffer) + offsetof(BufferHeader, magic));
    const std::uint64_t refused = collected_[lane].stream.refused;
    to_collector_->push(item_of(lane, *buffer));
    finish_what_is_left();
    if (magic == 0 || magic == recorder::kBufferMagic) collected_[lane].stream.refused = refused;
  }
}

CollectorReport Collector::report(Producers producers) {
  CollectorReport report{.sink_failed = sink_error_.has_value(),
                         .collector_died = collector_error_.has_value(),
                         .manager_died = manager_error_.has_value(),
                         .flush_limit_fired = flush_limit_fired_,
                         .drain_limit_fired = drain_limit_fired_,
                         .freezes = freezes_,
                         .freeze_limits_fired = freeze_limits_fired_,
                         .frozen = frozen_};
  for (const auto* error : {&sink_error_, &collector_error_, &manager_error_})
    if (!report.error) report.error = *error;
  for (std::size_t lane = 0; lane < pools_.lanes(); ++lane)
    report.lanes.push_back(report_of(lane, producers));
  report.remarks = remarks_on(report, options_.limits);
  return report;
}

LaneReport Collector::report_of(std::size_t lane, Producers producers) {
  const Collected& collected = collected_[lane];
  const LaneStream& stream = collected.stream;
  const BufferPools::LaneCounts counts = pools_.counts(lane);
  LaneReport report{.kind = stream.kind,
                    .producer = stream.producer,
                    .state = counts.account.state,
                    .produced = counts.account.produced,
                    .collected = collected.records,
                    .timeouts = counts.account.timeouts,
                    .buffers = stream.buffers,
                    .refused_buffers = stream.refused + counts.refused,
                    .pauses = stream.pauses,
                    .paused_ticks = stream.paused_ticks,
                    .clock_backwards = stream.clock.backwards,
                    .times_short = counts.times_short,
                    .most_in_flight = counts.most_away};
  for (std::size_t reason = 0; reason < counts.account.dropped.size(); ++reason)
    report.dropped[reason] = counts.account.dropped[reason];
  report.dropped[static_cast<std::size_t>(DropReason::kStopped)] += collected.late;
  report.dropped[static_cast<std::size_t>(DropReason::kSinkFailed)] += collected.sink_failed;
  if (!report.flushed() && producers == Producers::kGone) {
    report.state = recorder::LaneState::kFlushed;
    report.produced = std::max(report.produced, stream.next_record);
  }
  if (!report.flushed() && counts.has_buffer) report.unfinished_records = stream.records_per_buffer;
  return report;
}

}  // namespace accelscope::capture
