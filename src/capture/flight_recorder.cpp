#include "capture/flight_recorder.h"

#include <algorithm>

#include "capture/record_traits.h"

namespace accelscope::capture {

using base::Status;
using recorder::BufferHeader;
using recorder::DropReason;

namespace {

std::uint64_t& dropped_for(LaneReport& lane, DropReason reason) {
  return lane.dropped[static_cast<std::size_t>(reason)];
}

// Of the last record; 0 when records of this kind have no times.
std::uint64_t newest_of(const BufferHeader& header, std::span<const std::byte> records) {
  const RecordKindFacts* facts = facts_of(header.kind);
  if (facts == nullptr || facts->follow == nullptr || records.size() < header.record_bytes) return 0;
  LaneClock clock;
  facts->follow(records.last(header.record_bytes), clock);
  return clock.last;
}

}  // namespace

TakeRecords FlightRecorder::sink() {
  return [this](const BufferHeader& header, std::span<const std::byte> records) {
    return take(header, records);
  };
}

Status FlightRecorder::take(const BufferHeader& header, std::span<const std::byte> records) {
  auto taken =
      std::make_shared<Kept>(Kept{header, {records.begin(), records.end()}, newest_of(header, records)});
  std::vector<std::shared_ptr<const Kept>> gone;  // memory is given back without the lock
  const std::lock_guard lock(mutex_);
  newest_ = std::max(newest_, taken->newest);
  if (taken->newest == 0) taken->newest = newest_;
  LaneCounts& lane = lanes_[{header.kind, header.producer}];
  lane.produced = header.first_record + header.count;
  lane.dropped += header.dropped_before;
  bytes_ += taken->bytes();
  kept_.push_back(std::move(taken));
  while (is_too_much()) {
    const BufferHeader& oldest = kept_.front()->header;
    lanes_[{oldest.kind, oldest.producer}].overwritten += oldest.count;
    bytes_ -= kept_.front()->bytes();
    gone.push_back(std::move(kept_.front()));
    kept_.pop_front();
  }
  return {};
}

bool FlightRecorder::is_too_much() const {
  if (kept_.size() < 2) return false;
  if (bytes_ > static_cast<std::uint64_t>(limits_.bytes.value)) return true;
  return limits_.ticks.value > 0 &&
         newest_ - kept_.front()->newest > static_cast<std::uint64_t>(limits_.ticks.value);
}

FlightRecorder::Snapshot FlightRecorder::snapshot() const {
  const std::lock_guard lock(mutex_);
  return {{kept_.begin(), kept_.end()}, lanes_};
}

base::Bytes FlightRecorder::kept_bytes() const {
  const std::lock_guard lock(mutex_);
  return {static_cast<std::int64_t>(bytes_)};
}

FlightSave FlightRecorder::save(const TakeRecords& take) const {
  const Snapshot now = snapshot();
  FlightSave saved;
  std::map<LaneKey, LaneReport> lanes;
  for (const auto& [key, counts] : now.lanes) {
    LaneReport& lane = lanes[key];
    lane.kind = key.first;
    lane.producer = key.second;
    lane.state = recorder::LaneState::kRecording;
    lane.produced = counts.produced;
    // A producer that never waits has no other reason.
    dropped_for(lane, DropReason::kNoBuffer) = counts.dropped;
    dropped_for(lane, DropReason::kOverwritten) = counts.overwritten;
  }
  for (const std::shared_ptr<const Kept>& kept : now.kept) {
    LaneReport& lane = lanes[{kept->header.kind, kept->header.producer}];
    if (!saved.error) {
      if (const Status taken = call_sink(take, kept->header, kept->records); !taken)
        saved.error = taken.error();
    }
    if (saved.error) {
      dropped_for(lane, DropReason::kSinkFailed) += kept->header.count;
    } else {
      lane.collected += kept->header.count;
      ++lane.buffers;
    }
  }
  for (auto& [key, lane] : lanes) saved.lanes.push_back(lane);
  return saved;
}

void settle(CollectorReport& report, const FlightSave& saved) {
  if (saved.error) {
    report.sink_failed = true;
    if (!report.error) report.error = saved.error;
  }
  for (LaneReport& lane : report.lanes) {
    const auto found = std::find_if(saved.lanes.begin(), saved.lanes.end(), [&](const LaneReport& kept) {
      return kept.kind == lane.kind && kept.producer == lane.producer;
    });
    if (found == saved.lanes.end()) continue;
    lane.collected = found->collected;
    for (const DropReason reason : {DropReason::kSinkFailed, DropReason::kOverwritten})
      dropped_for(lane, reason) += found->dropped[static_cast<std::size_t>(reason)];
  }
}

}  // namespace accelscope::capture
