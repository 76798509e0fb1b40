// Takes records from all producers of a run, of all kinds, with two threads.
//
// The manager thread owns the lanes: it takes full buffers out of them, keeps them supplied with empty ones
// from the pool of their kind, and runs the gate that stops all producers when one is short. The collector
// thread owns what comes of the records: it checks each buffer's header, hands the records on and gives the
// buffer back. Between them are two queues; nobody locks. A producer that does not flush before stop()'s
// limit is reported, and what it had handed over is kept.
//
// make(), start(), stop() and the destructor are for one thread. What `take` refers to must outlive stop().
//
//   ACCELSCOPE_TRY(const std::unique_ptr<Collector> collector, Collector::make(*memory, pools, options,
//   take)); collector->start(); RecordWriter<CoreTaskRecord, Platform> writer(collector->writer_parts(kind,
//   core), ...);
//   ...
//   const std::vector<LaneReport> lanes = collector->stop();
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <thread>
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
  std::uint32_t buffers_per_lane = 4;  // 1 to recorder::kLaneBuffers; a lane in need gets up to the latter
  std::vector<std::uint32_t> producers = {};
};

struct CollectorOptions {
  std::uint64_t generation = 1;
  std::chrono::milliseconds flush_limit{1000};  // that stop() waits for producers to flush
};

// The account of one producer, when all is over.
struct LaneReport {
  recorder::RecordKind kind = recorder::RecordKind::kNone;
  std::uint32_t producer = 0;
  LaneAccount account = {};
  std::uint64_t collected = 0;
  std::uint64_t dropped_seen = 0;     // as the headers of collected buffers say
  std::uint64_t refused_buffers = 0;  // whose header was not what it had to be
  std::uint64_t paused_ticks = 0;

  bool flushed() const { return account.state == recorder::LaneState::kFlushed; }
  // Holds for every producer that has flushed.
  bool adds_up() const { return account.produced == collected + account.all_dropped(); }
};

// Called in the collector thread, buffer by buffer, those of one producer in order.
using TakeRecords = std::function<void(const recorder::BufferHeader&, std::span<const std::byte>)>;

class Collector {
 public:
  static base::Result<std::unique_ptr<Collector>> make(device::DeviceMemory& memory,
                                                       const std::vector<PoolSpec>& pools,
                                                       const CollectorOptions& options, TakeRecords take);
  ~Collector();
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  // What a simulated device's writer is made of.
  struct WriterParts {
    recorder::Lane<>* lane = nullptr;
    recorder::Gate<>* gate = nullptr;
    recorder::BufferArray buffers = {};
  };
  // Nothing when the kind or the producer is not recorded.
  std::optional<WriterParts> writer_parts(recorder::RecordKind kind, std::uint32_t producer) const;

  void start();
  std::vector<LaneReport> stop();

 private:
  // Of one kind.
  struct Pool {
    PoolSpec spec = {};
    std::uint64_t stride = 0;
    device::Address buffers = device::Address::kNowhere;
    std::uint32_t buffer_count = 0;
    std::vector<std::uint32_t> empty = {};  // manager only
  };
  struct CollectedLane {
    HostLane host;
    LaneReport report = {};
    device::Address lane = device::Address::kNowhere;
    std::uint32_t pool = 0;
    std::uint32_t outstanding = 0;  // buffers in its queues or with its producer; manager only
    std::uint64_t next_record = 0;  // collector only, as all of the report but its account
    std::uint32_t next_buffer = 0;
  };
  static constexpr std::uint32_t kMaxBuffers = 4096;
  using Queue = recorder::SpscRing<std::uint64_t, kMaxBuffers>;

  explicit Collector(device::DeviceMemory& memory, const CollectorOptions& options, TakeRecords take)
      : memory_(memory), options_(options), take_(std::move(take)) {}

  base::Status add_pool(const PoolSpec& spec);
  void manage();
  bool take_full_buffers();
  bool take_back_empty_buffers();
  void supply_lanes();
  void supply(CollectedLane& lane, std::uint32_t wanted);
  void run_gate();
  bool all_flushed();
  void collect();
  bool collect_one(std::vector<std::byte>& copy);
  bool is_expected(const CollectedLane& lane, const recorder::BufferHeader& header) const;

  device::DeviceMemory& memory_;
  CollectorOptions options_;
  TakeRecords take_;
  std::vector<Pool> pools_;
  std::vector<CollectedLane> lanes_;
  device::Address gate_ = device::Address::kNowhere;
  std::vector<device::Address> blocks_;  // all that was allocated
  std::unique_ptr<Queue> to_collector_ = std::make_unique<Queue>();
  std::unique_ptr<Queue> to_manager_ = std::make_unique<Queue>();
  std::uint64_t on_the_way_ = 0;  // buffers between the two threads; manager only
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> managed_ = false;  // the manager has ended
  std::thread manager_;
  std::thread collector_;
};

}  // namespace accelscope::capture
