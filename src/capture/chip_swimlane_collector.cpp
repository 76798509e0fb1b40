#include "capture/chip_swimlane_collector.h"

namespace accelscope::capture {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;

base::Ticks ticks_of(base::Frequency clock, std::chrono::milliseconds time) {
  return clock.from_nanoseconds({std::chrono::nanoseconds(time).count()});
}

Status check(const ChipSwimlaneOptions& options) {
  if (const std::uint64_t unknown = unknown_dfx_bits(options.dfx_flags); unknown != 0)
    return base::fail(ErrorCode::kUsage, "dfx_flags has bits that no feature has: {:#x}", unknown);
  if (!options.clock.known() && options.dfx_flags != 0)
    return base::fail(ErrorCode::kUsage, "time limits need the frequency of the device's counter");
  if (options.wait_limit.count() <= 0)
    return base::fail(ErrorCode::kUsage, "the limit of a wait has to be above zero");
  if (options.policy == RunPolicy::kOverwrite && options.keep_bytes.value <= 0)
    return base::fail(ErrorCode::kUsage, "overwrite needs a number of bytes to keep");
  if (const ProducerCounts& producers = options.producers;
      options.dfx_flags != 0 && producers.cores + producers.scheduler_threads + producers.orchestrators == 0)
    return base::fail(ErrorCode::kUsage, "a diagnostic is on, but there is nobody to record it");
  return {};
}

}  // namespace

Result<std::unique_ptr<ChipSwimlaneCollector>> ChipSwimlaneCollector::make(device::DeviceMemory& memory,
                                                                           const ChipSwimlaneOptions& options,
                                                                           TakeRecords take) {
  ACCELSCOPE_CHECK(check(options));
  std::unique_ptr<ChipSwimlaneCollector> made(new ChipSwimlaneCollector(options, std::move(take)));
  TakeRecords sink = made->take_;
  if (options.policy == RunPolicy::kOverwrite) {
    made->flight_ = std::make_unique<FlightRecorder>(
        FlightLimits{.bytes = options.keep_bytes, .ticks = ticks_of(options.clock, options.keep_time)});
    sink = made->flight_->sink();
  }
  if (options.perfmon && (options.dfx_flags & kDfxCoreSwimlane) != 0) {
    made->copier_ = std::make_unique<PerfmonCopier>(memory, *options.perfmon, options.generation);
    sink = made->copier_->before(std::move(sink));
  }
  ACCELSCOPE_TRY(
      made->collector_,
      Collector::make(
          memory, pools_for(options.dfx_flags, options.producers, options.buffers),
          {.generation = options.generation, .limits = options.limits, .watermarks = options.watermarks},
          std::move(sink)));
  return made;
}

std::optional<ProducerParts> ChipSwimlaneCollector::producer(recorder::RecordKind kind,
                                                             std::uint32_t number) const {
  const std::optional<WriterParts> parts = collector_->writer_parts(kind, number);
  if (!parts) return std::nullopt;
  ProducerParts producer;
  static_cast<WriterParts&>(producer) = *parts;
  producer.config = {
      .producer = number,
      .generation = options_.generation,
      .policy = device_policy(options_.policy),
      .wait_limit = static_cast<std::uint64_t>(ticks_of(options_.clock, options_.wait_limit).value)};
  return producer;
}

CollectorReport ChipSwimlaneCollector::stop(Producers producers) {
  CollectorReport report = collector_->stop(producers);
  if (copier_ != nullptr)
    for (const LaneReport& lane : copier_->lanes()) report.lanes.push_back(lane);
  if (flight_ != nullptr) {
    settle(report, flight_->save(take_));
    report.remarks = remarks_on(report, options_.limits);
  }
  if (copier_ != nullptr)
    for (trace::QualityRow& remark : copier_->remarks()) report.remarks.push_back(std::move(remark));
  return report;
}

Result<FlightSave> ChipSwimlaneCollector::save(const TakeRecords& take) const {
  if (flight_ == nullptr)
    return base::fail(ErrorCode::kUsage,
                      "there is nothing to save under the policy {}: all is written as it comes",
                      name_of(options_.policy));
  return flight_->save(take);
}

}  // namespace accelscope::capture
