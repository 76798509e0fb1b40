#include "capture/collector.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace accelscope::capture {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;
using device::Address;
using recorder::BufferHeader;
using recorder::Gate;
using recorder::kLaneBuffers;
using recorder::Lane;

constexpr std::chrono::microseconds kNap{20};

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
  std::unique_ptr<Collector> collector(new Collector(memory, options, std::move(take)));
  ACCELSCOPE_TRY(collector->gate_, memory.allocate(sizeof(Gate<>)));
  collector->blocks_.push_back(collector->gate_);
  for (const PoolSpec& pool : pools) {
    ACCELSCOPE_CHECK(collector->add_pool(pool));
  }
  std::uint64_t buffers = 0;
  for (const Pool& pool : collector->pools_) buffers += pool.buffer_count;
  if (buffers > kMaxBuffers)
    return base::fail(ErrorCode::kTooLarge, "{} buffers are more than the {} that a collector can have",
                      buffers, kMaxBuffers);
  collector->supply_lanes();
  return collector;
}

Status Collector::add_pool(const PoolSpec& spec) {
  if (spec.record_bytes == 0 || spec.records_per_buffer == 0 || spec.buffers_per_lane == 0 ||
      spec.buffers_per_lane > kLaneBuffers)
    return base::fail(ErrorCode::kUsage, "a pool needs records, and 1 to {} buffers for each producer",
                      kLaneBuffers);
  Pool pool{.spec = spec, .stride = recorder::buffer_bytes(spec.record_bytes, spec.records_per_buffer)};
  pool.buffer_count = spec.buffers_per_lane * static_cast<std::uint32_t>(spec.producers.size());
  if (pool.buffer_count == 0) return {};  // nobody records this: no memory
  ACCELSCOPE_TRY(pool.buffers, memory_.allocate(pool.stride * pool.buffer_count));
  blocks_.push_back(pool.buffers);
  for (std::uint32_t buffer = pool.buffer_count; buffer > 0; --buffer) pool.empty.push_back(buffer - 1);
  for (const std::uint32_t producer : spec.producers) {
    ACCELSCOPE_TRY(const Address lane, memory_.allocate(sizeof(Lane<>)));
    blocks_.push_back(lane);
    lanes_.push_back({.host = HostLane(memory_, lane),
                      .report = {.kind = spec.kind, .producer = producer},
                      .lane = lane,
                      .pool = static_cast<std::uint32_t>(pools_.size())});
  }
  pools_.push_back(std::move(pool));
  return {};
}

Collector::~Collector() {
  if (manager_.joinable()) stop();
  for (const Address block : blocks_) memory_.release(block);
}

std::optional<Collector::WriterParts> Collector::writer_parts(recorder::RecordKind kind,
                                                              std::uint32_t producer) const {
  const auto found = std::find_if(lanes_.begin(), lanes_.end(), [&](const CollectedLane& lane) {
    return lane.report.kind == kind && lane.report.producer == producer;
  });
  if (found == lanes_.end()) return std::nullopt;
  const Pool& pool = pools_[found->pool];
  return WriterParts{static_cast<Lane<>*>(memory_.as_device_sees(found->lane)),
                     static_cast<Gate<>*>(memory_.as_device_sees(gate_)),
                     {static_cast<unsigned char*>(memory_.as_device_sees(pool.buffers)), pool.stride,
                      pool.spec.records_per_buffer}};
}

void Collector::start() {
  manager_ = std::thread([this] { manage(); });
  collector_ = std::thread([this] { collect(); });
}

std::vector<LaneReport> Collector::stop() {
  const auto limit = std::chrono::steady_clock::now() + options_.flush_limit;
  while (!all_flushed() && std::chrono::steady_clock::now() < limit) std::this_thread::sleep_for(kNap);
  // Whoever still waits for a buffer now waits no longer.
  memory_.store32(gate_ + offsetof(Gate<>, stopped), 1);
  stopping_.store(true, std::memory_order_release);
  manager_.join();
  collector_.join();
  std::vector<LaneReport> reports;
  for (CollectedLane& lane : lanes_) {
    lane.report.account = lane.host.account();
    reports.push_back(lane.report);
  }
  return reports;
}

bool Collector::all_flushed() {
  return std::all_of(lanes_.begin(), lanes_.end(), [this](const CollectedLane& lane) {
    const auto state =
        static_cast<recorder::LaneState>(memory_.load32(lane.lane + recorder::LaneLayout::kState));
    return state != recorder::LaneState::kRecording;
  });
}

void Collector::manage() {
  for (;;) {
    // Before looking, so that what was handed over before the stop is seen.
    const bool last = stopping_.load(std::memory_order_acquire);
    bool moved = take_back_empty_buffers();
    moved |= take_full_buffers();
    supply_lanes();
    run_gate();
    if (moved) continue;
    if (last) break;
    std::this_thread::sleep_for(kNap);
  }
  managed_.store(true, std::memory_order_release);
}

bool Collector::take_full_buffers() {
  bool moved = false;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    while (const std::optional<std::uint32_t> buffer = lanes_[i].host.pop_ready()) {
      --lanes_[i].outstanding;
      ++on_the_way_;
      // Never full: it has a place for every buffer there is.
      to_collector_->push(item_of(i, *buffer));
      moved = true;
    }
  }
  return moved;
}

bool Collector::take_back_empty_buffers() {
  bool moved = false;
  std::uint64_t item = 0;
  while (to_manager_->pop(item)) {
    pools_[lanes_[lane_in(item)].pool].empty.push_back(buffer_in(item));
    --on_the_way_;
    moved = true;
  }
  return moved;
}

void Collector::supply_lanes() {
  // Everybody gets two before anybody gets more.
  for (const std::uint32_t wanted : {2U, kLaneBuffers})
    for (CollectedLane& lane : lanes_) supply(lane, wanted);
}

void Collector::supply(CollectedLane& lane, std::uint32_t wanted) {
  std::vector<std::uint32_t>& empty = pools_[lane.pool].empty;
  while (!empty.empty() && lane.outstanding < wanted) {
    if (!lane.host.push_free(empty.back())) return;
    empty.pop_back();
    ++lane.outstanding;
  }
}

// Frozen is set before contended is cleared, so that no producer ever sees neither; and the freeze ends when
// all buffers that were full have come back.
void Collector::run_gate() {
  const Address contended = gate_ + offsetof(Gate<>, contended);
  const Address frozen = gate_ + offsetof(Gate<>, frozen);
  if (memory_.load32(contended) != 0) {
    memory_.store32(frozen, 1);
    memory_.store32(contended, 0);
  } else if (on_the_way_ == 0 && memory_.load32(frozen) != 0) {
    memory_.store32(frozen, 0);
  }
}

void Collector::collect() {
  std::vector<std::byte> copy;
  for (;;) {
    const bool last = managed_.load(std::memory_order_acquire);
    if (collect_one(copy)) continue;
    if (last) return;
    std::this_thread::sleep_for(kNap);
  }
}

bool Collector::collect_one(std::vector<std::byte>& copy) {
  std::uint64_t item = 0;
  if (!to_collector_->pop(item)) return false;
  CollectedLane& lane = lanes_[lane_in(item)];
  const Pool& pool = pools_[lane.pool];
  const std::span<const std::byte> bytes =
      memory_.read(pool.buffers + pool.stride * buffer_in(item), pool.stride, copy);
  BufferHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (is_expected(lane, header)) {
    lane.report.collected += header.count;
    lane.report.dropped_seen += header.dropped_before;
    lane.report.paused_ticks += header.paused_to - header.paused_from;
    lane.next_record = header.first_record + header.count;
    lane.next_buffer = header.buffer_number + 1;
    take_(header, bytes.subspan(sizeof header, std::size_t{header.count} * header.record_bytes));
  } else {
    ++lane.report.refused_buffers;
  }
  to_manager_->push(item);
  return true;
}

bool Collector::is_expected(const CollectedLane& lane, const BufferHeader& header) const {
  const PoolSpec& spec = pools_[lane.pool].spec;
  return header.magic == recorder::kBufferMagic && header.kind == spec.kind &&
         header.record_bytes == spec.record_bytes && header.producer == lane.report.producer &&
         header.generation == options_.generation && header.count <= spec.records_per_buffer &&
         header.buffer_number >= lane.next_buffer &&
         header.first_record >= lane.next_record + header.dropped_before;
}

}  // namespace accelscope::capture
