// The buffers of a run: which lane has which, which are empty, and who is to get one.
//
// A buffer is at any time with its lane (in its queues or with its producer), away (full, on its way through
// the host) or empty. Each kind of record has a pool of its own, shared by its lanes; the lane with the
// fewest buffers gets the next one, up to the high watermark. So each lane has its share when nobody is
// behind, and bursts that fit it are never held up. All memory is allocated by add() and released by the
// destructor; a kind that nobody records takes none.
//
// add() is for one thread before the run; then supply(), take_full() and give_back() belong to the thread
// that manages. What the constant functions say never changes during a run, and any thread may ask them.
//
//   while (const std::optional<std::uint32_t> buffer = pools.take_full(lane)) use(*buffer);
//   pools.give_back(lane, *buffer);
//   pools.supply();
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "accelscope/recorder/record_writer.h"
#include "base/result.h"
#include "capture/host_lane.h"
#include "device/device_memory.h"

namespace accelscope::capture {

// The buffers of one kind of record, and who records it.
struct PoolSpec {
  recorder::RecordKind kind = recorder::RecordKind::kNone;
  std::uint32_t record_bytes = 0;
  std::uint32_t records_per_buffer = 1024;
  std::uint32_t buffers_per_lane = 4;  // 1 to recorder::kLaneBuffers: a lane's share
  std::vector<std::uint32_t> producers = {};
};

// How many buffers a lane has, the one that its producer is filling included.
struct Watermarks {
  std::uint32_t low = 2;  // a lane with fewer, when there is none to give, is short, which is counted
  std::uint32_t high = recorder::kLaneBuffers;  // no lane has more
};

// What a simulated device's writer is made of.
struct WriterParts {
  recorder::Lane<>* lane = nullptr;
  recorder::Gate<>* gate = nullptr;
  recorder::BufferArray buffers = {};
};

class BufferPools {
 public:
  BufferPools(device::DeviceMemory& memory, Watermarks watermarks)
      : memory_(memory), watermarks_(watermarks) {}
  ~BufferPools();
  BufferPools(const BufferPools&) = delete;
  BufferPools& operator=(const BufferPools&) = delete;

  static constexpr std::uint32_t kMaxBuffers = 4096;  // of all pools
  base::Status add(const PoolSpec& spec);

  std::size_t lanes() const { return lanes_.size(); }
  const PoolSpec& spec_of(std::size_t lane) const { return pools_[lanes_[lane].pool].spec; }
  std::uint32_t producer_of(std::size_t lane) const { return lanes_[lane].producer; }
  // Nothing when the kind or the producer is not recorded.
  std::optional<std::size_t> find(recorder::RecordKind kind, std::uint32_t producer) const;
  WriterParts writer_parts(std::size_t lane) const;
  device::Address address_of(std::size_t lane, std::uint32_t buffer) const;
  std::uint64_t buffer_bytes(std::size_t lane) const { return pools_[lanes_[lane].pool].stride; }
  device::Address gate() const { return gate_; }

  void supply();
  // A full buffer of the lane. What is no buffer of that lane is refused, and counted.
  std::optional<std::uint32_t> take_full(std::size_t lane);
  void give_back(std::size_t lane, std::uint32_t buffer);
  // When producers are gone for good, and nothing is full any more: the buffer that the lane's was filling.
  std::optional<std::uint32_t> take_unfinished(std::size_t lane);
  std::uint64_t away() const { return away_; }
  // When supply() was called last.
  bool some_lane_is_short() const { return some_lane_is_short_; }

  // Any thread: nothing more is to come from any producer.
  bool all_flushed();
  // Any thread: a producer has handed over what nobody has taken.
  bool has_full_buffers() const;

  struct LaneCounts {
    LaneAccount account = {};
    std::uint64_t refused = 0;
    std::uint64_t times_short = 0;
    std::uint32_t most_away = 0;
    bool has_buffer = false;  // its producer took one and has not handed it over
  };
  LaneCounts counts(std::size_t lane);

 private:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  struct Pool {
    PoolSpec spec = {};
    std::uint64_t stride = 0;
    device::Address buffers = device::Address::kNowhere;
    std::vector<std::uint32_t> empty = {};
    std::vector<std::uint32_t> holder = {};  // the lane that each buffer is with
  };
  struct PooledLane {
    HostLane host;
    device::Address address = device::Address::kNowhere;
    std::uint32_t producer = 0;
    std::uint32_t pool = 0;
    std::uint32_t here = 0;  // buffers that it has
    std::uint32_t away = 0;
    std::uint32_t most_away = 0;
    std::uint64_t refused = 0;
    std::uint64_t times_short = 0;
    bool is_short = false;
  };

  base::Result<device::Address> allocate(std::uint64_t bytes);
  bool something_to_give() const;
  void send_away(std::size_t lane, std::uint32_t buffer);
  void supply_one(std::uint32_t lane, std::uint32_t wanted);

  device::DeviceMemory& memory_;
  Watermarks watermarks_;
  std::vector<Pool> pools_;
  std::vector<PooledLane> lanes_;
  std::vector<device::Address> blocks_;  // all that was allocated
  device::Address gate_ = device::Address::kNowhere;
  std::uint64_t buffers_ = 0;
  std::uint64_t away_ = 0;
  bool some_lane_is_short_ = false;
};

}  // namespace accelscope::capture
