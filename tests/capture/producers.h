// Producers, a sink and a device's memory for tests of collectors: records that can be told from anything
// else, and faults at chosen moments.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "accelscope/recorder/record_writer.h"
#include "capture/collector.h"

namespace accelscope::capture::tests {

using recorder::EdgeReason;
using recorder::EdgeRecord;

struct CountingPlatform {
  std::uint64_t time = 0;
  std::uint64_t now() { return ++time; }
  void relax() { std::this_thread::yield(); }
};
using EdgeWriter = recorder::RecordWriter<EdgeRecord, CountingPlatform>;

inline PoolSpec edges(std::vector<std::uint32_t> producers, std::uint32_t records = 8) {
  return {.kind = recorder::RecordKind::kEdge,
          .record_bytes = sizeof(EdgeRecord),
          .records_per_buffer = records,
          .buffers_per_lane = 3,
          .producers = std::move(producers)};
}

// The record of a producer with a number. All of it follows from the two: nothing else looks like it.
inline EdgeRecord patterned(std::uint32_t producer, std::uint64_t number) {
  const std::uint64_t mixed = (number + 1) * 0x9E3779B97F4A7C15U ^ producer;
  return {.producer = number,
          .consumer = mixed,
          .reason = EdgeReason::kFanout,
          .argument = static_cast<std::uint32_t>(mixed >> 32U) ^ producer};
}

inline bool is_patterned(const EdgeRecord& record, std::uint32_t producer) {
  const EdgeRecord expected = patterned(producer, record.producer);
  return record.consumer == expected.consumer && record.argument == expected.argument;
}

// What arrived, by producer.
struct Arrived {
  std::map<std::uint32_t, std::vector<std::uint64_t>> numbers;
  std::uint64_t phantoms = 0;  // records that no producer made
  std::uint64_t calls = 0;
  std::chrono::microseconds slow{0};
  std::uint64_t fail_at = ~std::uint64_t{0};  // the call that fails
  bool by_exception = false;

  base::Status take_one(const recorder::BufferHeader& header, std::span<const std::byte> bytes) {
    if (calls++ == fail_at) {
      if (by_exception) throw std::runtime_error("disk on fire");
      return base::fail(base::ErrorCode::kWriteFailed, "No space left on device");
    }
    if (slow.count() > 0) std::this_thread::sleep_for(slow);
    for (std::uint32_t i = 0; i < header.count; ++i) {
      EdgeRecord record;
      std::memcpy(&record, bytes.data() + i * sizeof record, sizeof record);
      if (!is_patterned(record, header.producer) || record.producer != header.first_record + i) ++phantoms;
      numbers[header.producer].push_back(record.producer);
    }
    return {};
  }
  TakeRecords take() {
    return [this](const recorder::BufferHeader& header, std::span<const std::byte> bytes) {
      return take_one(header, bytes);
    };
  }
};

enum class End : std::uint8_t { kFlush, kNoFlush };

// A producer that makes records 0, 1, 2, ...
inline void produce(const Collector& collector, std::uint32_t producer, std::uint64_t records,
                    recorder::Policy policy, End end = End::kFlush,
                    std::uint64_t wait_limit = ~std::uint64_t{0}) {
  const auto parts = collector.writer_parts(recorder::RecordKind::kEdge, producer);
  ASSERT_TRUE(parts);
  CountingPlatform platform;
  EdgeWriter writer(*parts->lane, *parts->gate, parts->buffers,
                    {.producer = producer, .generation = 1, .policy = policy, .wait_limit = wait_limit},
                    platform);
  for (std::uint64_t number = 0; number < records; ++number) writer.put(patterned(producer, number));
  if (end == End::kFlush) writer.flush();
}

// A device whose memory is slow, or cannot be reached for a moment: one access throws, in a thread of the
// collector.
class FaultyMemory final : public device::DeviceMemory {
 public:
  explicit FaultyMemory(std::unique_ptr<device::DeviceMemory> memory) : memory_(std::move(memory)) {}
  std::atomic<std::int64_t> load_at = -1;  // the manager's load that throws
  std::atomic<std::int64_t> read_at = -1;  // the collector's read that throws
  std::chrono::microseconds stall{0};      // of the manager, every 64 loads
  std::function<void()> on_load;           // before each of the manager's

  base::Result<device::Address> allocate(std::size_t bytes) override { return memory_->allocate(bytes); }
  void release(device::Address block) override { memory_->release(block); }
  std::uint64_t allocated_bytes() const override { return memory_->allocated_bytes(); }
  std::uint32_t load32(device::Address address) override {
    if (std::this_thread::get_id() != maker_) {
      if (on_load) on_load();
      if (load_at-- == 0) throw std::runtime_error("bus error");
      if (stall.count() > 0 && ++loads_ % 64 == 0) std::this_thread::sleep_for(stall);
    }
    return memory_->load32(address);
  }
  std::uint64_t load64(device::Address address) override { return memory_->load64(address); }
  void store32(device::Address address, std::uint32_t value) override { memory_->store32(address, value); }
  std::span<const std::byte> read(device::Address address, std::size_t bytes,
                                  std::vector<std::byte>& copy) override {
    if (read_at-- == 0) throw std::runtime_error("bus error");
    return memory_->read(address, bytes, copy);
  }
  void copy_words(device::Address address, std::span<std::uint32_t> words) override {
    if (read_at-- == 0) throw std::runtime_error("bus error");
    memory_->copy_words(address, words);
  }
  void invalidate(device::Address address, std::size_t bytes) override {
    memory_->invalidate(address, bytes);
  }
  std::uint64_t invalidated_bytes() const override { return memory_->invalidated_bytes(); }
  void* as_device_sees(device::Address address) override { return memory_->as_device_sees(address); }

 private:
  std::unique_ptr<device::DeviceMemory> memory_;
  std::thread::id maker_ = std::this_thread::get_id();
  std::atomic<std::uint64_t> loads_ = 0;
};

inline bool has_remark(const CollectorReport& report, std::string_view id) {
  for (const trace::QualityRow& row : report.remarks)
    if (row.id == id) return true;
  return false;
}
inline std::string remark(const CollectorReport& report, std::string_view id) {
  for (const trace::QualityRow& row : report.remarks)
    if (row.id == id) return row.sentence;
  return {};
}

}  // namespace accelscope::capture::tests
