// Records one run of a chip: from its flags, cores and threads to records in a sink and an account of them.
//
// Makes the pools that the flags ask for, runs the collector, and turns limits in time into ticks of the
// device's clock. Under `overwrite`, the last records are kept in memory: save() writes them at any time, and
// stop() writes what is kept in the end to the sink.
//
// make(), start(), poll(), stop() and the destructor are for one thread; producer() and save() for any. The
// memory, and what `take` refers to, must outlive it; producers must have ended before the destructor.
//
//   ACCELSCOPE_TRY(const std::unique_ptr<ChipSwimlaneCollector> collector,
//                  ChipSwimlaneCollector::make(*memory, {.dfx_flags = dfx_flags_of_level(3), ...}, take));
//   ACCELSCOPE_CHECK(collector->start());
//   const std::optional<ProducerParts> core = collector->producer(RecordKind::kCoreTask, 7);
//   RecordWriter<CoreTaskRecord, Platform> writer(*core->lane, *core->gate, core->buffers, core->config,
//   clock);
//   ...
//   const CollectorReport report = collector->stop();
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "capture/collector.h"
#include "capture/flight_recorder.h"
#include "capture/perfmon_copier.h"
#include "capture/pools_for.h"
#include "capture/run_policy.h"

namespace accelscope::capture {

struct ChipSwimlaneOptions {
  std::uint64_t dfx_flags = 0;  // as CallConfig has them; implied ones are added
  ProducerCounts producers = {};
  base::Frequency clock = base::Frequency::unknown();  // of the device's counter
  RunPolicy policy = RunPolicy::kBlock;
  std::vector<KindBuffers> buffers = {};  // where they are to be others than usual
  std::uint64_t generation = 1;
  std::chrono::milliseconds wait_limit{1000};  // of one wait of a producer
  CollectorLimits limits = {};
  Watermarks watermarks = {};
  // What `overwrite` keeps.
  base::Bytes keep_bytes{std::int64_t{64} << 20U};
  std::chrono::milliseconds keep_time{0};  // 0: as much as fits
  // Where the words of performance monitors are, for kDfxCoreSwimlane.
  std::optional<PerfmonSource> perfmon = {};
};

// What a producer's RecordWriter is made of.
struct ProducerParts : WriterParts {
  recorder::WriterConfig config = {};
};

class ChipSwimlaneCollector {
 public:
  static base::Result<std::unique_ptr<ChipSwimlaneCollector>> make(device::DeviceMemory& memory,
                                                                   const ChipSwimlaneOptions& options,
                                                                   TakeRecords take);

  // Nothing when it is not recorded.
  std::optional<ProducerParts> producer(recorder::RecordKind kind, std::uint32_t number) const;
  std::uint64_t dfx_flags() const { return with_implied_dfx(options_.dfx_flags); }

  base::Status start() { return collector_->start(); }
  // Instead of start(), by a producer that is the only thread (collector.h).
  void poll() { collector_->poll(); }
  bool has_full_buffers() const { return collector_->has_full_buffers(); }
  CollectorReport stop(Producers producers = Producers::kFlush);

  // Writes what is kept now; an error under any policy but `overwrite`.
  base::Result<FlightSave> save(const TakeRecords& take) const;

 private:
  ChipSwimlaneCollector(const ChipSwimlaneOptions& options, TakeRecords take)
      : options_(options), take_(std::move(take)) {}

  ChipSwimlaneOptions options_;
  TakeRecords take_;
  std::unique_ptr<FlightRecorder> flight_;  // under `overwrite` only; outlives the collector
  std::unique_ptr<PerfmonCopier> copier_;   // where performance monitors are recorded; likewise
  std::unique_ptr<Collector> collector_;
};

}  // namespace accelscope::capture
