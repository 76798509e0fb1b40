// Puts a producer's records into buffers and hands full ones to the host.
//
// One thread or core owns a writer. The hot path is put(): a comparison, the record and two counters; only
// when a buffer is full does it call out of line. No lock, no allocation, no system call.
//
// Who fills records in place asks for a slot, fills it before the next call, and says when it is filled.
// Until the buffer is handed over, the count in its header is of filled records: when a device dies, its host
// still has them, and nothing that was half written (Collector, Producers::kGone).
//
// `Platform` is how the device tells the time and waits: now() in ticks, relax() between two looks at memory
// that another processor changes. Freestanding but for <atomic>.
//
//   RecordWriter<CoreTaskRecord, Platform> writer(lane, gate, buffers, {.producer = core}, platform);
//   writer.put({.start = start, .task = task, ...});
//   writer.flush();
#pragma once

#include "accelscope/recorder/buffer.h"
#include "accelscope/recorder/lane.h"

namespace accelscope::recorder {

// Where the buffers of a lane are: equally long, one behind the other.
struct BufferArray {
  unsigned char* first = nullptr;
  uint64_t stride = 0;
  uint32_t records = 0;  // that each one holds

  BufferHeader* at(uint32_t buffer) const {
    return reinterpret_cast<BufferHeader*>(first + uint64_t{buffer} * stride);
  }
};

struct WriterConfig {
  uint32_t producer = 0;
  uint64_t generation = 0;
  Policy policy = Policy::kBlock;
  uint64_t wait_limit = 0;  // in ticks, of one wait
};

template <class Record, class Platform, template <class> class Atomic = std::atomic>
class RecordWriter {
 public:
  RecordWriter(Lane<Atomic>& lane, Gate<Atomic>& gate, BufferArray buffers, WriterConfig config,
               Platform& platform)
      : lane_(lane), gate_(gate), buffers_(buffers), config_(config), platform_(platform) {
    lane_.state.store(LaneState::kRecording, std::memory_order_release);
  }
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  void put(const Record& record) {
    slot() = record;
    filled();
  }

  Record& slot() {
    if (next_ == end_) [[unlikely]]
      switch_buffer();
    return *next_++;
  }

  // Several at once: at most `wanted`, at least one, as many as follow each other in memory.
  Record* slots(uint64_t wanted, uint64_t& count) {
    if (next_ == end_) [[unlikely]]
      switch_buffer();
    const auto left = static_cast<uint64_t>(end_ - next_);
    count = wanted < left ? wanted : left;
    Record* first = next_;
    next_ += count;
    return first;
  }

  // The last slots given are filled. Stored behind what was put into them.
  void filled(uint32_t count = 1) {
    const std::atomic_ref<uint32_t> all(*filled_);
    all.store(all.load(std::memory_order_relaxed) + count, std::memory_order_release);
  }

  // So many records were made, dropped ones included: the number of the next one.
  uint64_t records() const {
    return first_record_ + (has_buffer_ ? static_cast<uint64_t>(next_ - first_slot()) : 0);
  }
  // Whether the last slot was for a record that is dropped.
  bool dropped_last() const { return next_ == &nowhere_ + 1; }

  // Hands over what is there now, for records that the host must not wait for: unless it has not taken what
  // it got before. False when something is left, to be tried again.
  bool publish() {
    if (next_ == first_or_null()) return true;
    if (lane_.ready.size() > 0) return false;
    hand_over();
    return true;
  }

  // Hands over what is there, the buffer that is not full included. Nothing may be recorded afterwards.
  void flush() {
    hand_over();
    publish_account();
    lane_.state.store(LaneState::kFlushed, std::memory_order_release);
  }

 private:
  [[gnu::noinline, gnu::cold]] void switch_buffer() {
    hand_over();
    wait_while_frozen();
    if (take_buffer()) return open_buffer();
    // The record goes nowhere; the next one comes here again.
    ++dropped_[static_cast<uint32_t>(reason_)];
    ++dropped_before_;
    ++first_record_;
    publish_account();
    filled_ = &nobody_counts_;
    next_ = &nowhere_;
    end_ = &nowhere_ + 1;
  }

  // At no moment does the header say of this use what was true of an earlier one: it is no header until all
  // of it is written.
  void open_buffer() {
    BufferHeader& header = *buffers_.at(buffer_);
    const std::atomic_ref<uint32_t> magic(header.magic);
    magic.exchange(0, std::memory_order_acq_rel);
    header.kind = Record::kKind;
    header.record_bytes = sizeof(Record);
    header.producer = config_.producer;
    header.buffer_number = buffer_number_++;
    header.generation = config_.generation;
    header.first_record = first_record_;
    header.count = 0;
    header.dropped_before = dropped_before_;
    header.paused_from = paused_from_;
    header.paused_to = paused_to_;
    magic.store(kBufferMagic, std::memory_order_release);
    filled_ = &header.count;
    dropped_before_ = 0;
    paused_from_ = paused_to_ = 0;
  }

  void hand_over() {
    if (!has_buffer_) return;
    const auto count = static_cast<uint32_t>(next_ - first_slot());
    buffers_.at(buffer_)->count = count;
    first_record_ += count;
    has_buffer_ = false;
    next_ = end_ = nullptr;
    publish_account();
    lane_.ready.push(buffer_);
  }

  // Of the buffer that there is.
  Record* first_slot() const { return records_of<Record>(buffers_.at(buffer_)); }
  Record* first_or_null() const { return has_buffer_ ? first_slot() : next_; }

  void publish_account() {
    lane_.produced.store(first_record_, std::memory_order_relaxed);
    for (uint32_t reason = 0; reason < kDeviceDropReasons; ++reason)
      lane_.dropped[reason].store(dropped_[reason], std::memory_order_release);
  }

  bool take_buffer() {
    if (pop_free()) return true;
    reason_ = DropReason::kNoBuffer;
    if (config_.policy == Policy::kDrop || gave_up_) return false;
    gate_.contended.store(1, std::memory_order_release);
    return wait_until([this] { return pop_free(); });
  }

  void wait_while_frozen() {
    if (config_.policy == Policy::kDrop || gave_up_) return;
    if (gate_.frozen.load(std::memory_order_acquire) == 0) return;
    wait_until([this] { return gate_.frozen.load(std::memory_order_acquire) == 0; });
  }

  bool pop_free() {
    if (!lane_.free.pop(buffer_)) return false;
    has_buffer_ = true;
    gave_up_ = false;
    next_ = first_slot();
    end_ = next_ + buffers_.records;
    return true;
  }

  // False when the limit passed or the run was stopped. One limit is enough: who has waited in vain does not
  // wait again before there is a buffer.
  template <class Done>
  bool wait_until(Done&& done) {
    const uint64_t from = platform_.now();
    bool reached = false;
    for (;;) {
      reached = done();
      const bool stopped = !reached && gate_.stopped.load(std::memory_order_acquire) != 0;
      const bool late = !reached && platform_.now() - from > config_.wait_limit;
      if (reached) break;
      if (stopped || late) {
        reason_ = stopped ? DropReason::kStopped : DropReason::kTimeLimit;
        gave_up_ = true;
        if (!stopped) lane_.timeouts.store(++timeouts_, std::memory_order_release);
        break;
      }
      platform_.relax();
    }
    if (paused_to_ == 0) paused_from_ = from;
    paused_to_ = platform_.now();
    return reached;
  }

  Record* next_ = nullptr;
  Record* end_ = nullptr;
  uint32_t* filled_ = &nobody_counts_;  // in the header of the buffer
  Lane<Atomic>& lane_;
  Gate<Atomic>& gate_;
  BufferArray buffers_;
  WriterConfig config_;
  Platform& platform_;
  uint64_t first_record_ = 0;  // of the current buffer, or the next one
  uint64_t dropped_[kDeviceDropReasons] = {};
  uint64_t paused_from_ = 0;
  uint64_t paused_to_ = 0;
  uint32_t dropped_before_ = 0;
  uint32_t buffer_number_ = 0;
  uint32_t buffer_ = 0;
  uint32_t timeouts_ = 0;
  DropReason reason_ = DropReason::kNoBuffer;
  bool has_buffer_ = false;
  bool gave_up_ = false;
  uint32_t nobody_counts_ = 0;
  Record nowhere_ = {};
};

}  // namespace accelscope::recorder
