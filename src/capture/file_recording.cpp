#include "capture/file_recording.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace accelscope::capture {
namespace {

using formats::capture::LaneTotals;
using formats::capture::RecordingRemark;

std::vector<LaneTotals> totals_of(const std::vector<LaneReport>& lanes) {
  std::vector<LaneTotals> totals;
  totals.reserve(lanes.size());
  for (const LaneReport& lane : lanes)
    totals.push_back({.kind = lane.kind,
                      .producer = lane.producer,
                      .produced = lane.produced,
                      .collected = lane.collected,
                      .dropped = lane.dropped,
                      .timeouts = lane.timeouts,
                      .refused_buffers = lane.refused_buffers,
                      .paused_ticks = lane.paused_ticks,
                      .flushed = lane.flushed()});
  return totals;
}

RecordingRemark remark_of(const trace::QualityRow& row) {
  return {row.id, static_cast<std::uint8_t>(row.severity), row.sentence, row.count};
}

// One row for all: a clock that is wrong is so for a hundred cores.
void add_backwards_clocks(const CollectorReport& report, std::vector<RecordingRemark>& remarks) {
  std::uint64_t times = 0;
  for (const LaneReport& lane : report.lanes) times += lane.clock_backwards;
  if (times > 0)
    remarks.push_back(remark_of({.id = "collector.clock_backwards",
                                 .severity = trace::Severity::kWarning,
                                 .sentence = "The clock of producers went backwards.",
                                 .count = times}));
}

// What a reader cannot find out from records and accounts.
std::vector<RecordingRemark> remarks_for_file(const CollectorReport& report) {
  constexpr std::array<std::string_view, 7> kIds = {
      "collector.sink_failed", "collector.thread_ended",   "collector.freeze_limit", "collector.drain_limit",
      "collector.missing",     "perfmon.impossible_drain", "perfmon.raw_not_kept"};
  std::vector<RecordingRemark> remarks;
  for (const trace::QualityRow& row : report.remarks)
    if (std::find(kIds.begin(), kIds.end(), row.id) != kIds.end()) remarks.push_back(remark_of(row));
  add_backwards_clocks(report, remarks);
  return remarks;
}

// The options of a run with what its facts say.
ChipSwimlaneOptions options_of(const FileRecordingPlan& plan) {
  ChipSwimlaneOptions options = plan.options;
  options.dfx_flags = plan.facts.dfx_flags;
  options.clock = plan.facts.clock;
  options.generation = plan.facts.generation;
  options.producers = {.cores = static_cast<std::uint32_t>(plan.facts.cores.size()),
                       .scheduler_threads = plan.facts.scheduler_threads,
                       .orchestrators = plan.facts.orchestrators};
  return options;
}

}  // namespace

base::Result<std::unique_ptr<FileRecording::File>> FileRecording::create_file(const FileRecordingPlan& plan,
                                                                              const std::string& path,
                                                                              bool replace) {
  if (path.empty())
    return base::fail(base::ErrorCode::kUsage, "a feature is recorded, but there is no path for its file");
  constexpr mode_t kEverybodyReads = 0666;
  base::FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (replace ? O_TRUNC : O_EXCL), kEverybodyReads));
  if (!file.valid() && errno == EEXIST)
    return base::fail(base::ErrorCode::kWriteFailed, "'{}' exists, and was not to be replaced", path);
  if (!file.valid())
    return base::fail(base::ErrorCode::kWriteFailed, "'{}' cannot be made: {}", path, std::strerror(errno));
  auto made = std::make_unique<File>(std::move(file), plan, path);
  // The configuration: a full disk shows here already.
  if (const base::Status begun = made->writer.flush(); !begun) {
    if (!replace) ::unlink(path.c_str());  // it is ours, and holds nothing
    return tl::unexpected(begun.error());
  }
  return made;
}

base::Result<std::unique_ptr<FileRecording>> FileRecording::begin(device::DeviceMemory& memory,
                                                                  const FileRecordingPlan& plan) {
  if (const std::uint64_t unknown = unknown_dfx_bits(plan.facts.dfx_flags); unknown != 0)
    return base::fail(base::ErrorCode::kUsage, "the flags have bits that no feature has: {:#x}", unknown);
  std::unique_ptr<FileRecording> recording(new FileRecording(plan));
  recording->plan_.facts.dfx_flags = with_implied_dfx(plan.facts.dfx_flags);
  recording->plan_.facts.policy = name_of(plan.options.policy);
  if (plan.facts.dfx_flags == 0) return recording;
  // The collector first: what cannot be recorded shall leave no file.
  const auto take = [self = recording.get()](const recorder::BufferHeader& header,
                                             std::span<const std::byte> records) {
    return self->file_->writer.take(header, records);
  };
  ACCELSCOPE_TRY(std::unique_ptr<ChipSwimlaneCollector> collector,
                 ChipSwimlaneCollector::make(memory, options_of(recording->plan_), take));
  ACCELSCOPE_TRY(recording->file_, create_file(recording->plan_, plan.path, plan.replace));
  if (plan.collecting == Collecting::kByPolling) collector->poll();
  if (plan.collecting == Collecting::kByThreads) {
    ACCELSCOPE_CHECK(collector->start());
  }
  recording->collector_ = std::move(collector);
  return recording;
}

FileRecording::~FileRecording() {
  end();
}

std::optional<ProducerParts> FileRecording::producer(recorder::RecordKind kind, std::uint32_t number) const {
  if (!collector_) return std::nullopt;
  return collector_->producer(kind, number);
}

base::Result<FlightSave> FileRecording::save(const std::string& path, bool replace) const {
  if (!collector_ || plan_.options.policy != RunPolicy::kOverwrite)
    return base::fail(base::ErrorCode::kUsage, "only a recording that keeps its last records can save them");
  ACCELSCOPE_TRY(const std::unique_ptr<File> file, create_file(plan_, path, replace));
  const auto take = [&](const recorder::BufferHeader& header, std::span<const std::byte> records) {
    return file->writer.take(header, records);
  };
  ACCELSCOPE_TRY(FlightSave saved, collector_->save(take));
  ACCELSCOPE_CHECK(file->writer.finish(totals_of(saved.lanes)));
  ACCELSCOPE_CHECK(file->output.flush());
  return saved;
}

base::Status FileRecording::start() {
  if (!file_ || plan_.collecting != Collecting::kByThreadsLater) return {};
  return collector_->start();
}

void FileRecording::poll() {
  if (file_ && plan_.collecting == Collecting::kByPolling) collector_->poll();
}

bool FileRecording::has_full_buffers() const {
  return collector_ != nullptr && collector_->has_full_buffers();
}

RecordingEnd FileRecording::end(const Ending& ending) {
  RecordingEnd ended;
  if (!file_) return ended;
  ended.report = collector_->stop(ending.producers);
  std::vector<RecordingRemark> remarks = remarks_for_file(ended.report);
  for (const trace::QualityRow& row : ending.remarks) remarks.push_back(remark_of(row));
  ended.file = file_->writer.finish(totals_of(ended.report.lanes), remarks);
  if (const base::Status flushed = file_->output.flush(); ended.file && !flushed) ended.file = flushed;
  ended.file_bytes = file_->output.written();
  file_.reset();
  return ended;
}

}  // namespace accelscope::capture
