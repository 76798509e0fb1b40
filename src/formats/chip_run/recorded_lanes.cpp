#include "formats/chip_run/recorded_lanes.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "trace/recorder_facts.h"

namespace accelscope::formats::chip_run {
namespace {

using base::Location;
using capture::BufferFacts;
using capture::LaneTotals;
using recorder::RecordKind;
using trace::Severity;

std::string_view text_of_reason(std::size_t reason) {
  return text_of(static_cast<recorder::DropReason>(reason));
}

// Whom the records of a kind come from, where it is always the same.
std::optional<PausedProducer::Kind> producer_of(RecordKind kind) {
  switch (kind) {
    case RecordKind::kCoreTask:
      return PausedProducer::Kind::kCore;
    case RecordKind::kTaskLifecycle:
    case RecordKind::kPmu:
    case RecordKind::kTensor:
    case RecordKind::kTensorBlock:
    case RecordKind::kPerfmonDrain:
    case RecordKind::kSchedulerPhase:
    case RecordKind::kControlTask:
    case RecordKind::kQueueDepth:
      return PausedProducer::Kind::kScheduler;
    case RecordKind::kOrchestratorPhase:
    case RecordKind::kTaskDescription:
    case RecordKind::kEdge:
    case RecordKind::kScope:
      return PausedProducer::Kind::kOrchestrator;
    case RecordKind::kPerfmonBlock:  // of the host, which stops nobody
    case RecordKind::kNone:
      break;
  }
  return std::nullopt;
}

std::string name_of(RecordKind kind) {
  const std::string_view name = capture::records_name(kind);
  return name.empty() ? fmt::format("records of kind {}", static_cast<unsigned>(kind)) : std::string(name);
}

std::string drop_reason_of(const std::array<std::uint64_t, recorder::kDropReasons>& dropped,
                           std::uint64_t overwritten) {
  std::string text;
  const auto add = [&](std::string_view reason, std::uint64_t count) {
    if (count > 0) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", reason, count);
  };
  for (std::size_t reason = 0; reason < dropped.size(); ++reason)
    add(text_of_reason(reason), dropped[reason]);
  add("older than what was kept", overwritten);
  return text;
}

// Producers of several kinds of records may have waited for each.
void join(std::vector<std::pair<std::int64_t, std::int64_t>>& pauses) {
  std::sort(pauses.begin(), pauses.end());
  std::vector<std::pair<std::int64_t, std::int64_t>> joined;
  for (const auto& pause : pauses) {
    if (!joined.empty() && pause.first <= joined.back().second)
      joined.back().second = std::max(joined.back().second, pause.second);
    else
      joined.push_back(pause);
  }
  pauses = std::move(joined);
}

}  // namespace

void RecordedLanes::take(RecordKind kind, const BufferFacts& buffer, std::uint64_t offset) {
  const Key key{kind, buffer.producer};
  Lane& lane = lanes_[key];
  if (!lane.begun)
    lane.first_record =
        buffer.first_record - std::min<std::uint64_t>(buffer.first_record, buffer.dropped_before);
  const std::uint64_t expected = lane.next_record + buffer.dropped_before;
  if (buffer.first_record < expected) {
    backwards_.note(offset);
  } else if (lane.begun && buffer.first_record > expected) {
    gaps_.note(offset);
    lane.skipped += buffer.first_record - expected;
  }
  lane.begun = true;
  lane.next_record = std::max(lane.next_record, buffer.first_record + buffer.count);
  lane.read += buffer.count;
  lane.dropped += buffer.dropped_before;
  records_ += buffer.count;
  if (buffer.paused_from != buffer.paused_to) take_pause(key, buffer, offset);
}

void RecordedLanes::take_pause(Key key, const BufferFacts& buffer, std::uint64_t offset) {
  if (buffer.paused_to < buffer.paused_from ||
      buffer.paused_to > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
    impossible_pauses_.note(offset);
    return;
  }
  ++pauses_count_;
  if (const auto producer = producer_of(key.first))
    pauses_[{*producer, key.second}].emplace_back(static_cast<std::int64_t>(buffer.paused_from),
                                                  static_cast<std::int64_t>(buffer.paused_to));
}

RecorderAccount RecordedLanes::settle(const capture::RecordingTables& tables, std::uint64_t rejected,
                                      trace::QualityTable& quality) {
  for (const LaneTotals& account : tables.lanes())
    lanes_[{account.kind, account.producer}].account = &account;
  RecorderAccount result;
  const bool overwrites = tables.facts().policy == "overwrite";
  add_rows(overwrites, rejected, result);
  for (auto& [producer, pauses] : pauses_) {
    join(pauses);
    result.paused.push_back({producer.first, producer.second, std::move(pauses)});
  }
  if (!tables.facts().policy.empty())
    result.facts.emplace_back(trace::kRecorderPolicyFact, tables.facts().policy);
  for (const auto& fact : tables.facts().more) result.facts.push_back(fact);
  note_accounts(tables, quality);
  note_numbers(overwrites, quality);
  return result;
}

void RecordedLanes::add_rows(bool overwrites, std::uint64_t rejected, RecorderAccount& account) const {
  RecordKind kind = RecordKind::kNone;
  std::array<std::uint64_t, recorder::kDropReasons> dropped{};
  std::uint64_t overwritten = 0;
  const auto finish_kind = [&] {
    if (account.rows.empty()) return;
    RecorderAccount::Row& row = account.rows.back();
    row.drop_reason = drop_reason_of(dropped, overwritten);
    row.dropped += overwritten;
    if (kind == RecordKind::kCoreTask) row.collected -= std::min(row.collected, rejected);
    dropped = {};
    overwritten = 0;
  };
  // Lanes of a kind stand together.
  for (const auto& [key, lane] : lanes_) {
    if (account.rows.empty() || key.first != kind) {
      finish_kind();
      kind = key.first;
      account.rows.push_back({.records = name_of(kind)});
    }
    RecorderAccount::Row& row = account.rows.back();
    const std::uint64_t produced = lane.account != nullptr ? lane.account->produced : lane.next_record;
    const std::uint64_t lost = lane.account != nullptr ? lane.account->all_dropped() : lane.dropped;
    row.produced += produced;
    row.collected += lane.read;
    row.dropped += lost;
    for (std::size_t reason = 0; reason < dropped.size() && lane.account != nullptr; ++reason)
      dropped[reason] += lane.account->dropped[reason];
    if (overwrites && produced > lane.read + lost) overwritten += produced - lane.read - lost;
  }
  finish_kind();
}

void RecordedLanes::note_accounts(const capture::RecordingTables& tables, trace::QualityTable& quality) {
  std::array<std::uint64_t, recorder::kDropReasons> dropped{};
  std::uint64_t timeouts = 0;
  std::uint64_t refused = 0;
  std::uint64_t not_flushed = 0;
  std::uint64_t differing = 0;
  const bool overwrites = tables.facts().policy == "overwrite";
  for (const auto& [key, lane] : lanes_) {
    if (lane.account == nullptr) continue;
    for (std::size_t reason = 0; reason < dropped.size(); ++reason)
      dropped[reason] += lane.account->dropped[reason];
    timeouts += lane.account->timeouts;
    refused += lane.account->refused_buffers;
    not_flushed += lane.account->flushed ? 0U : 1U;
    differing += !overwrites && lane.account->collected != lane.read ? 1U : 0U;
  }
  const Location place = Location::of_file(path_);
  const auto add = [&](std::string_view id, Severity severity, std::uint64_t count, std::string sentence) {
    if (count > 0) quality.add({std::string(id), severity, std::move(sentence), count, place});
  };
  for (const capture::RecordingRemark& remark : tables.remarks())
    add(remark.id, std::min(static_cast<Severity>(remark.severity), Severity::kError), remark.count,
        remark.sentence);
  // A flight recorder was asked to let go of old ones.
  const auto severity_of = [](std::size_t reason) {
    return reason == static_cast<std::size_t>(recorder::DropReason::kOverwritten) ? Severity::kInfo
                                                                                  : Severity::kWarning;
  };
  for (std::size_t reason = 0; reason < dropped.size(); ++reason)
    add("recording.dropped", severity_of(reason), dropped[reason],
        fmt::format("Records are missing: {}.", text_of_reason(reason)));
  add("recording.wait_timed_out", Severity::kWarning, timeouts,
      "Producers gave up waiting for an empty buffer when their time limit had passed.");
  add("recording.buffer_refused", Severity::kWarning, refused,
      "Buffers whose header was not what it had to be were refused.");
  add("recording.not_flushed", Severity::kWarning, not_flushed,
      "Producers did not flush before recording ended: their last records are missing.");
  add("recording.accounts_differ", Severity::kError, differing,
      "The accounts of producers name another number of records than the file has.");
  add("recording.no_accounts", Severity::kWarning, tables.lanes().empty() ? 1 : 0,
      "The file has no accounts of its producers: what they dropped at their end is not known.");
}

void RecordedLanes::note_numbers(bool overwrites, trace::QualityTable& quality) const {
  const auto add = [&](std::string_view id, Severity severity, const chip_swimlane::Oddity& oddity,
                       std::uint64_t count, std::string_view sentence) {
    if (oddity.count > 0)
      quality.add({std::string(id), severity, std::string(sentence), count,
                   Location::byte(path_, oddity.first_offset.value_or(0))});
  };
  std::uint64_t skipped = 0;
  std::uint64_t late = 0;
  for (const auto& [key, lane] : lanes_) {
    skipped += lane.skipped;
    late += lane.first_record;
  }
  add("recording.buffer_missing", Severity::kWarning, gaps_, skipped,
      "Numbers of records are missing between two buffers of a producer, and it did not drop them.");
  add("recording.buffer_out_of_order", Severity::kError, backwards_, backwards_.count,
      "The records of a buffer have numbers that records before it had: they are kept.");
  add("recording.impossible_pause", Severity::kWarning, impossible_pauses_, impossible_pauses_.count,
      "A producer waited from a moment to an earlier one, or beyond 63 bits: the wait is left out.");
  if (late > 0)
    quality.add({"recording.begins_late", overwrites ? Severity::kInfo : Severity::kWarning,
                 overwrites ? "Only the last records were kept, as was asked for: earlier ones are not there."
                            : "The first buffers of producers are missing.",
                 late, Location::of_file(path_)});
  if (pauses_count_ > 0)
    quality.add({"recording.paused", Severity::kWarning,
                 "Producers waited until the host had taken their records: work that ended meanwhile was "
                 "reported late.",
                 pauses_count_, Location::of_file(path_)});
}

}  // namespace accelscope::formats::chip_run
