#include "capture/buffer_pools.h"

#include <algorithm>

namespace accelscope::capture {

using base::ErrorCode;
using base::Result;
using base::Status;
using device::Address;
using recorder::Gate;
using recorder::kLaneBuffers;
using recorder::Lane;
using recorder::LaneState;

BufferPools::~BufferPools() {
  for (const Address block : blocks_) memory_.release(block);
}

Result<Address> BufferPools::allocate(std::uint64_t bytes) {
  ACCELSCOPE_TRY(const Address block, memory_.allocate(bytes));
  blocks_.push_back(block);
  return block;
}

Status BufferPools::add(const PoolSpec& spec) {
  if (spec.record_bytes == 0 || spec.records_per_buffer == 0 || spec.buffers_per_lane == 0 ||
      spec.buffers_per_lane > kLaneBuffers)
    return base::fail(ErrorCode::kUsage, "a pool needs records, and 1 to {} buffers for each producer",
                      kLaneBuffers);
  const std::uint64_t count = std::uint64_t{spec.buffers_per_lane} * spec.producers.size();
  buffers_ += count;
  if (buffers_ > kMaxBuffers)
    return base::fail(ErrorCode::kTooLarge, "{} buffers are more than the {} that a collector can have",
                      buffers_, kMaxBuffers);
  if (count == 0) return {};  // nobody records this: no memory
  if (gate_ == Address::kNowhere) {
    ACCELSCOPE_TRY(gate_, allocate(sizeof(Gate<>)));
  }
  Pool pool{.spec = spec, .stride = recorder::buffer_bytes(spec.record_bytes, spec.records_per_buffer)};
  ACCELSCOPE_TRY(pool.buffers, allocate(pool.stride * count));
  for (auto buffer = static_cast<std::uint32_t>(count); buffer > 0; --buffer)
    pool.empty.push_back(buffer - 1);
  pool.holder.assign(count, kNobody);
  for (const std::uint32_t producer : spec.producers) {
    ACCELSCOPE_TRY(const Address lane, allocate(sizeof(Lane<>)));
    lanes_.push_back({.host = HostLane(memory_, lane),
                      .address = lane,
                      .producer = producer,
                      .pool = static_cast<std::uint32_t>(pools_.size())});
  }
  pools_.push_back(std::move(pool));
  return {};
}

std::optional<std::size_t> BufferPools::find(recorder::RecordKind kind, std::uint32_t producer) const {
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
    if (spec_of(lane).kind == kind && lanes_[lane].producer == producer) return lane;
  return std::nullopt;
}

WriterParts BufferPools::writer_parts(std::size_t lane) const {
  const Pool& pool = pools_[lanes_[lane].pool];
  return {static_cast<Lane<>*>(memory_.as_device_sees(lanes_[lane].address)),
          static_cast<Gate<>*>(memory_.as_device_sees(gate_)),
          {static_cast<unsigned char*>(memory_.as_device_sees(pool.buffers)), pool.stride,
           pool.spec.records_per_buffer}};
}

Address BufferPools::address_of(std::size_t lane, std::uint32_t buffer) const {
  const Pool& pool = pools_[lanes_[lane].pool];
  return pool.buffers + pool.stride * buffer;
}

void BufferPools::supply() {
  for (std::uint32_t wanted = 1; wanted <= watermarks_.high && something_to_give(); ++wanted)
    for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) supply_one(lane, wanted);
  some_lane_is_short_ = false;
  for (PooledLane& lane : lanes_) {
    const bool is_short = lane.here < std::min(watermarks_.low, pools_[lane.pool].spec.buffers_per_lane);
    if (is_short && !lane.is_short) ++lane.times_short;
    lane.is_short = is_short;
    some_lane_is_short_ |= is_short;
  }
}

bool BufferPools::something_to_give() const {
  return std::any_of(pools_.begin(), pools_.end(), [](const Pool& pool) { return !pool.empty.empty(); });
}

void BufferPools::supply_one(std::uint32_t lane, std::uint32_t wanted) {
  PooledLane& needy = lanes_[lane];
  Pool& pool = pools_[needy.pool];
  if (pool.empty.empty() || needy.here >= wanted) return;
  const std::uint32_t buffer = pool.empty.back();
  // Before the producer can have it.
  pool.holder[buffer] = lane;
  if (!needy.host.push_free(buffer)) {
    pool.holder[buffer] = kNobody;
    return;
  }
  pool.empty.pop_back();
  ++needy.here;
}

std::optional<std::uint32_t> BufferPools::take_full(std::size_t lane) {
  PooledLane& from = lanes_[lane];
  Pool& pool = pools_[from.pool];
  while (const std::optional<std::uint32_t> buffer = from.host.pop_ready()) {
    // A device whose memory is damaged must not make the host read elsewhere, nor a buffer serve two lanes.
    if (*buffer >= pool.holder.size() || pool.holder[*buffer] != lane) {
      ++from.refused;
      continue;
    }
    send_away(lane, *buffer);
    return buffer;
  }
  return std::nullopt;
}

void BufferPools::send_away(std::size_t lane, std::uint32_t buffer) {
  PooledLane& from = lanes_[lane];
  pools_[from.pool].holder[buffer] = kNobody;
  --from.here;
  from.most_away = std::max(from.most_away, ++from.away);
  ++away_;
}

std::optional<std::uint32_t> BufferPools::take_unfinished(std::size_t lane) {
  PooledLane& from = lanes_[lane];
  // A queue that claims more than it can hold says nothing about what was taken from it.
  if (from.host.free_buffers() > kLaneBuffers) return std::nullopt;
  const std::vector<std::uint32_t>& holder = pools_[from.pool].holder;
  for (std::uint32_t buffer = 0; buffer < holder.size(); ++buffer) {
    if (holder[buffer] != lane || from.host.is_free(buffer)) continue;
    send_away(lane, buffer);
    return buffer;
  }
  return std::nullopt;
}

void BufferPools::give_back(std::size_t lane, std::uint32_t buffer) {
  pools_[lanes_[lane].pool].empty.push_back(buffer);
  --lanes_[lane].away;
  --away_;
}

bool BufferPools::all_flushed() {
  return std::all_of(lanes_.begin(), lanes_.end(),
                     [](PooledLane& lane) { return lane.host.state() != LaneState::kRecording; });
}

bool BufferPools::has_full_buffers() const {
  return std::any_of(lanes_.begin(), lanes_.end(),
                     [](const PooledLane& lane) { return lane.host.has_ready(); });
}

BufferPools::LaneCounts BufferPools::counts(std::size_t lane) {
  PooledLane& counted = lanes_[lane];
  return {.account = counted.host.account(),
          .refused = counted.refused + (counted.host.damaged() ? 1U : 0U),
          .times_short = counted.times_short,
          .most_away = counted.most_away,
          .has_buffer = counted.here > counted.host.free_buffers()};
}

}  // namespace accelscope::capture
