#include "capture/perfmon_copier.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "accelscope/perfmon/drain_record.h"

namespace accelscope::capture {
namespace {

using base::Status;
using device::Address;
using recorder::BufferHeader;
using recorder::PerfmonBlockRecord;
using recorder::PerfmonDrainRecord;
using recorder::RecordKind;

constexpr std::size_t kWord = sizeof(std::uint32_t);
constexpr std::size_t kBlocksAtOnce = 4096;

bool is_possible(const PerfmonDrainRecord& drain, const std::vector<MonitorRing>& rings) {
  if (drain.core >= rings.size() || drain.lost > drain.written) return false;
  const std::uint32_t ring = rings[drain.core].bytes;
  return drain.to_copy() <= ring && (drain.to_copy() == 0 || drain.from < ring) && drain.from % kWord == 0 &&
         drain.to_copy() % kWord == 0;
}

}  // namespace

PerfmonCopier::PerfmonCopier(device::DeviceMemory& memory, PerfmonSource source, std::uint64_t generation)
    : memory_(memory), source_(std::move(source)), generation_(generation), cores_(source_.rings.size()) {}

TakeRecords PerfmonCopier::before(TakeRecords next) {
  next_ = std::move(next);
  return [this](const BufferHeader& header, std::span<const std::byte> records) {
    return take(header, records);
  };
}

Status PerfmonCopier::take(const BufferHeader& header, std::span<const std::byte> records) {
  if (header.kind != RecordKind::kPerfmonDrain) return next_(header, records);
  drains_.resize(records.size() / sizeof(PerfmonDrainRecord));
  std::memcpy(drains_.data(), records.data(), drains_.size() * sizeof(PerfmonDrainRecord));
  for (PerfmonDrainRecord& drain : drains_) ACCELSCOPE_CHECK(copy(drain));
  return next_(header, std::as_bytes(std::span(drains_)));
}

Status PerfmonCopier::copy(PerfmonDrainRecord& drain) {
  const bool possible = is_possible(drain, source_.rings);
  impossible_ += possible ? 0U : 1U;
  words_.clear();
  std::uint32_t over = drain.to_copy();
  if (possible) {
    const MonitorRing& ring = source_.rings[drain.core];
    copy_ring(ring.memory, ring.bytes, drain);
    source_.window->barrier();  // the counter is read behind the copy
    const std::uint32_t counted =
        source_.window->read32(drain.core, source_.chip.registers.offset(perfmon::Register::kSamplesWritten));
    if (!is_released(drain)) over = written_over(drain, source_.chip.behaviour, ring.bytes, counted);
    if (source_.raw && !raw_error_) keep_raw(drain);
  }
  // In any case: whoever waits for it waits for nothing else.
  if (source_.acknowledged != Address::kNowhere && drain.core < source_.rings.size())
    memory_.store32(source_.acknowledged + kWord * drain.core, drain.sequence);
  lost_ += drain.lost < drain.written ? drain.lost : 0;
  if (!possible) {
    drain.copied = 0;
    drain.lost = drain.written;
    return {};
  }
  lost_ += over;
  if (drain.to_copy() > 0)
    drain.from =
        static_cast<std::uint32_t>((std::uint64_t{drain.from} + over) % source_.rings[drain.core].bytes);
  drain.lost += over;
  drain.copied = drain.to_copy();
  words_.erase(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(over / kWord));
  return hand_on(drain.core);
}

// Its monitor was started anew before the bytes were copied.
bool PerfmonCopier::is_released(const PerfmonDrainRecord& drain) {
  if (source_.released == Address::kNowhere || (drain.notes & recorder::kDrainIsStanding) == 0) return false;
  const std::uint32_t last = memory_.load32(source_.released + kWord * drain.core);
  return static_cast<std::int32_t>(last - drain.sequence) >= 0;
}

void PerfmonCopier::copy_ring(Address ring, std::uint32_t ring_bytes, const PerfmonDrainRecord& drain) {
  words_.resize(drain.to_copy() / kWord);
  const std::span<std::uint32_t> words(words_);
  const std::size_t first = std::min(drain.to_copy(), ring_bytes - std::min(drain.from, ring_bytes)) / kWord;
  memory_.invalidate(ring + drain.from, first * kWord);
  memory_.copy_words(ring + drain.from, words.first(first));
  if (first == words.size()) return;
  memory_.invalidate(ring, (words.size() - first) * kWord);
  memory_.copy_words(ring, words.subspan(first));
}

// The bytes of a drain begin a block, and the last one is filled up with zeros.
Status PerfmonCopier::hand_on(std::uint32_t number) {
  constexpr std::size_t kBlock = PerfmonBlockRecord::kBytes;
  words_.resize((words_.size() * kWord + kBlock - 1) / kBlock * (kBlock / kWord), 0);
  Core& core = cores_[number];
  std::span<const std::byte> bytes = std::as_bytes(std::span(words_));
  while (!bytes.empty()) {
    const std::span<const std::byte> now = bytes.first(std::min(bytes.size(), kBlocksAtOnce * kBlock));
    bytes = bytes.subspan(now.size());
    const auto blocks = static_cast<std::uint32_t>(now.size() / kBlock);
    const BufferHeader header{.magic = recorder::kBufferMagic,
                              .kind = RecordKind::kPerfmonBlock,
                              .record_bytes = kBlock,
                              .producer = number,
                              .buffer_number = core.buffers++,
                              .generation = generation_,
                              .first_record = core.blocks,
                              .count = blocks,
                              .dropped_before = 0,
                              .paused_from = 0,
                              .paused_to = 0};
    core.blocks += blocks;
    ACCELSCOPE_CHECK(next_(header, now));
    core.taken += blocks;
  }
  return {};
}

void PerfmonCopier::keep_raw(const PerfmonDrainRecord& drain) {
  const MonitorRing& ring = source_.rings[drain.core];
  ring_.resize(ring.bytes / kWord);
  memory_.copy_words(ring.memory, ring_);
  if (const Status kept = source_.raw(drain, std::as_bytes(std::span(ring_))); !kept)
    raw_error_ = kept.error();
}

std::vector<LaneReport> PerfmonCopier::lanes() const {
  std::vector<LaneReport> lanes;
  for (std::uint32_t core = 0; core < cores_.size(); ++core) {
    const Core& counts = cores_[core];
    if (counts.blocks == 0) continue;
    LaneReport lane{.kind = RecordKind::kPerfmonBlock,
                    .producer = core,
                    .state = recorder::LaneState::kFlushed,
                    .produced = counts.blocks,
                    .collected = counts.taken,
                    .buffers = counts.buffers};
    lane.dropped[static_cast<std::size_t>(recorder::DropReason::kSinkFailed)] = counts.blocks - counts.taken;
    lanes.push_back(lane);
  }
  return lanes;
}

std::vector<trace::QualityRow> PerfmonCopier::remarks() const {
  std::vector<trace::QualityRow> rows;
  if (lost_ > 0)
    rows.push_back({.id = "perfmon.bytes_lost",
                    .severity = trace::Severity::kWarning,
                    .sentence = "Bytes of pipe traces were overwritten before they were drained or copied.",
                    .count = lost_});
  if (impossible_ > 0)
    rows.push_back({.id = "perfmon.impossible_drain",
                    .severity = trace::Severity::kError,
                    .sentence = "Drains named bytes that no ring has: none were copied.",
                    .count = impossible_});
  if (raw_error_)
    rows.push_back({.id = "perfmon.raw_not_kept",
                    .severity = trace::Severity::kWarning,
                    .sentence = fmt::format("Raw bytes of performance monitors were kept only in part: {}.",
                                            raw_error_->to_string())});
  return rows;
}

}  // namespace accelscope::capture
