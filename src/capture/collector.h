// Takes records from all producers of a run, of all kinds, with two threads.
//
// The manager thread owns the lanes: it takes full buffers out of them, keeps them supplied with empty ones
// from the pool of their kind, and runs the gate that stops all producers when one is short. The collector
// thread owns what comes of the records: it checks each buffer's header, hands the records on and gives the
// buffer back. Between them are two queues; nobody locks, but for the manager's naps and the stop that ends
// them.
//
// The run goes on whatever happens here. A sink that fails is not called again, and what arrives later is
// counted as dropped; a thread that ends by an exception is replaced by the other one, or by stop(), and no
// producer waits for it. What was taken before is kept, and the first error is in the report. Every wait has
// a limit: stop() takes no longer than the limits for flushing and draining and one call of the sink.
//
// Producers may be gone before they flushed: their process ended, however it did. Then stop() also takes the
// buffers that they were filling, up to their last whole record, so that every account adds up.
//
// A producer that is the host's only thread, as a simulated chip is, calls poll() now and then instead of
// start(): the same is done by whoever calls, so that what arrives when depends on nothing else.
//
// make(), start(), poll(), stop() and the destructor are for one thread. What `take` refers to must outlive
// stop(), which calls it itself when a thread has ended; producers must have ended before the destructor.
//
//   ACCELSCOPE_TRY(const std::unique_ptr<Collector> collector,
//                  Collector::make(*memory, pools, options, take));
//   ACCELSCOPE_CHECK(collector->start());
//   const std::optional<WriterParts> parts = collector->writer_parts(kind, core);
//   ...
//   const CollectorReport report = collector->stop();
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/result.h"
#include "capture/buffer_pools.h"
#include "capture/collector_report.h"
#include "capture/lane_stream.h"
#include "capture/take_records.h"
#include "device/device_memory.h"

namespace accelscope::capture {

struct CollectorOptions {
  std::uint64_t generation = 1;
  CollectorLimits limits = {};
  Watermarks watermarks = {};
};

// What has become of producers when their collector stops.
enum class Producers : std::uint8_t {
  kFlush,  // each flushes, or the limit for that passes
  kGone,   // they record nothing any more, ever
};

class Collector {
 public:
  static base::Result<std::unique_ptr<Collector>> make(device::DeviceMemory& memory,
                                                       const std::vector<PoolSpec>& pools,
                                                       const CollectorOptions& options, TakeRecords take);
  ~Collector();
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  // Nothing when the kind or the producer is not recorded.
  std::optional<WriterParts> writer_parts(recorder::RecordKind kind, std::uint32_t producer) const;

  base::Status start();
  // Instead of start(), and until stop(): takes what is there, and gives empty buffers back.
  void poll();
  // Any thread, also of a process that producers run in: whether there is something to take.
  bool has_full_buffers() const { return pools_.has_full_buffers(); }
  CollectorReport stop(Producers producers = Producers::kFlush);

 private:
  using Clock = std::chrono::steady_clock;
  using Queue = recorder::SpscRing<std::uint64_t, BufferPools::kMaxBuffers>;
  // Of one lane; whoever collects writes it.
  struct Collected {
    LaneStream stream;
    std::uint64_t records = 0;
    std::uint64_t sink_failed = 0;  // records that there was no sink for any more
    std::uint64_t late = 0;         // records that the sink had no time for any more
  };

  Collector(device::DeviceMemory& memory, const CollectorOptions& options, TakeRecords take)
      : memory_(memory), options_(options), take_(std::move(take)), pools_(memory, options.watermarks) {}

  void run_manager();
  void manage();
  void end_collector();
  void wake_collector();
  void nap(std::chrono::microseconds time);
  void end_nap();
  std::uint32_t take_full_buffers();  // the most that one lane had
  bool take_back_empty_buffers();
  void run_gate();
  void freeze(bool on);
  void let_producers_go();
  void run_collector();
  void collect();
  bool collect_one();
  void hand_on(Collected& lane, const recorder::BufferHeader& header, std::span<const std::byte> records);
  bool is_late() const;
  void finish_what_is_left();
  void take_unfinished_buffers();
  CollectorReport report(Producers producers);
  LaneReport report_of(std::size_t lane, Producers producers);

  device::DeviceMemory& memory_;
  CollectorOptions options_;
  TakeRecords take_;
  BufferPools pools_;
  std::unique_ptr<Queue> to_collector_ = std::make_unique<Queue>();
  std::unique_ptr<Queue> to_manager_ = std::make_unique<Queue>();
  std::thread manager_;
  std::thread collector_;

  // Whoever manages: the manager thread, and stop() when it has ended.
  std::optional<Clock::time_point> frozen_since_;
  std::uint64_t freezes_ = 0;
  std::uint64_t freeze_limits_fired_ = 0;
  std::chrono::nanoseconds frozen_{0};
  std::optional<base::Error> manager_error_;

  // Whoever collects: the collector thread; once collector_ended_ is seen the manager, and in the end stop().
  std::vector<Collected> collected_;
  std::optional<std::uint64_t> in_hand_;  // taken out of the queue and not given back yet
  std::vector<std::byte> copy_;
  std::optional<base::Error> sink_error_;
  std::optional<base::Error> collector_error_;
  bool drain_limit_fired_ = false;

  bool polled_ = false;             // whoever calls poll()
  bool flush_limit_fired_ = false;  // stop() only
  Clock::time_point drain_until_;   // written before stopping_
  std::mutex nap_mutex_;            // of the manager's nap, and of stop() that ends it
  std::condition_variable nap_ends_;
  std::atomic<bool> stopping_ = false;        // written under the mutex
  std::atomic<bool> in_a_hurry_ = false;      // the manager says so; nothing depends on it
  std::atomic<std::uint32_t> handed_on_ = 0;  // counted up behind a push; what the collector thread waits for
  std::atomic<bool> manager_ended_ = false;
  std::atomic<bool> collector_ended_ = false;
};

}  // namespace accelscope::capture
