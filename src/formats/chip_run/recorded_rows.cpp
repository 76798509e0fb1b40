#include "formats/chip_run/recorded_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "accelscope/dfx_flags.h"
#include "formats/chip_swimlane/phase_rows.h"
#include "formats/chip_swimlane/settle.h"

namespace accelscope::formats::chip_run {
namespace {

using base::Location;
using capture::RecordingFacts;
using chip_swimlane::Capture;
using chip_swimlane::CoreRows;
using chip_swimlane::kNoTime;
using chip_swimlane::PhaseRow;
using chip_swimlane::SubmitRow;
using recorder::CoreTaskRecord;
using trace::Severity;

constexpr std::uint64_t kMaxTime = std::numeric_limits<std::int64_t>::max();
constexpr std::uint32_t kMaxThreads = 65'536;
constexpr std::int32_t kNoThread = -1;
constexpr std::int32_t kSeveral = -2;

// Our levels 1, 2 and 3 are a swimlane's 1, 2 and 4: schedulers and orchestrators are recorded together.
std::uint64_t swimlane_level_of(std::uint64_t flags) {
  const int level = chip_swimlane_level_of(flags);
  return level == 3 ? 4 : static_cast<std::uint64_t>(std::max(level, 1));
}

// The next rows of a column. Room is taken twice over, because a core's rows come in many buffers.
template <class T, class Get>
void append_column(std::vector<T>& column, std::span<const CoreTaskRecord> records, Get&& get) {
  const std::size_t before = column.size();
  if (column.capacity() < before + records.size())
    column.reserve(std::max(before * 2, before + records.size()));
  column.resize(before + records.size());
  T* place = column.data() + before;
  for (const CoreTaskRecord& record : records) *place++ = get(record);
}

// The same for a column that stays empty as long as no row has a value.
template <class T, class Get>
void append_sparse(std::vector<T>& column, std::size_t before, std::span<const CoreTaskRecord> records,
                   T nothing, Get&& get) {
  if (column.empty() &&
      std::all_of(records.begin(), records.end(), [&](const auto& record) { return get(record) == nothing; }))
    return;
  column.resize(before, nothing);
  append_column(column, records, get);
}

std::int32_t function_of(const CoreTaskRecord& record) {
  return record.function <= std::uint32_t{std::numeric_limits<std::int32_t>::max()}
             ? static_cast<std::int32_t>(record.function)
             : chip_swimlane::kNoFunction;
}

// The length that a slice gets: one that is too long for its field is as long as the field can say, at least.
std::uint64_t shown_length(std::uint32_t duration) {
  if (duration == recorder::kBackwards) return 0;
  return duration == recorder::kTooLong ? recorder::kBackwards : duration;
}

bool is_possible(std::uint64_t start, std::uint32_t duration) {
  return start <= kMaxTime && shown_length(duration) <= kMaxTime - start;
}

std::int64_t end_of(std::uint64_t start, std::uint32_t duration) {
  return static_cast<std::int64_t>(start + shown_length(duration));
}

std::int64_t receive_of(const CoreTaskRecord& record) {
  const bool known = recorder::is_length(record.receive_to_start) && record.receive_to_start <= record.start;
  return known ? static_cast<std::int64_t>(record.start - record.receive_to_start) : kNoTime;
}

}  // namespace

void RecordedRows::note_length(std::uint32_t length, std::uint64_t offset) {
  if (length == recorder::kBackwards) backwards_.note(offset);
  if (length == recorder::kTooLong) too_long_.note(offset);
}

void RecordedRows::expect(std::uint32_t core, std::size_t records, bool with_lifecycles) {
  CoreRows* rows = chip_swimlane::rows_of_core(draft_.capture.cores, core);
  if (rows == nullptr) return;
  rows->task.reserve(records);
  rows->sequence.reserve(records);
  rows->start.reserve(records);
  rows->end.reserve(records);
  rows->receive.reserve(records);
  rows->function.reserve(records);
  if (!with_lifecycles) return;
  chip_swimlane::SchedulerRows* scheduler = chip_swimlane::rows_of_core(draft_.scheduler.cores, core);
  scheduler->sequence.reserve(records);
  scheduler->dispatch.reserve(records);
  scheduler->finish.reserve(records);
}

void RecordedRows::add(std::span<const CoreTaskRecord> records, std::uint32_t core, std::uint64_t offset) {
  draft_.capture.counts.core_rows += records.size();
  CoreRows* rows = chip_swimlane::rows_of_core(draft_.capture.cores, core);
  if (rows == nullptr) {
    for (std::size_t i = 0; i < records.size(); ++i) draft_.impossible_cores.note(offset);
    return;
  }
  const auto possible = [](const CoreTaskRecord& record) {
    return is_possible(record.start, record.duration);
  };
  if (std::all_of(records.begin(), records.end(), possible)) return append(records, *rows, offset);
  std::vector<CoreTaskRecord> good;
  std::copy_if(records.begin(), records.end(), std::back_inserter(good), possible);
  for (std::size_t i = good.size(); i < records.size(); ++i) impossible_times_.note(offset);
  append(good, *rows, offset);
}

void RecordedRows::append(std::span<const CoreTaskRecord> records, CoreRows& rows, std::uint64_t offset) {
  const std::size_t before = rows.start.size();
  append_column(rows.task, records, [](const CoreTaskRecord& record) { return record.task; });
  append_column(rows.sequence, records, [](const CoreTaskRecord& record) { return record.sequence; });
  append_column(rows.start, records,
                [](const CoreTaskRecord& record) { return static_cast<std::int64_t>(record.start); });
  append_column(rows.end, records,
                [](const CoreTaskRecord& record) { return end_of(record.start, record.duration); });
  append_sparse(rows.receive, before, records, kNoTime, receive_of);
  append_sparse(rows.function, before, records, chip_swimlane::kNoFunction, function_of);
  append_sparse(rows.end_unknown, before, records, std::uint8_t{0}, [](const CoreTaskRecord& record) {
    return static_cast<std::uint8_t>(recorder::is_length(record.duration) ? 0 : 1);
  });
  for (const CoreTaskRecord& record : records) {
    note_length(record.duration, offset);
    note_length(record.receive_to_start, offset);
    if (recorder::is_length(record.receive_to_start) && record.receive_to_start > record.start)
      draft_.receive_too_early.note(offset);
  }
}

void RecordedRows::add(std::span<const recorder::TaskLifecycleRecord> records, std::uint32_t thread,
                       std::uint64_t offset) {
  chip_swimlane::SchedulerStream& stream = draft_.scheduler;
  stream.rows += records.size();
  // 0 is what a runtime hands over that took no time.
  const auto time_or_nothing = [&](std::uint64_t ticks) {
    if (ticks == 0) stream.zero_times.note(offset);
    return ticks == 0 ? kNoTime : static_cast<std::int64_t>(ticks);
  };
  for (const recorder::TaskLifecycleRecord& record : records) {
    if (record.dispatch > kMaxTime || record.finish > kMaxTime) {
      impossible_times_.note(offset);
      continue;
    }
    chip_swimlane::SchedulerRows* rows = chip_swimlane::rows_of_core(stream.cores, record.core);
    if (rows == nullptr) {
      stream.impossible_cores.note(offset);
      continue;
    }
    if (record.finish < record.dispatch && record.finish != 0) backwards_.note(offset);
    rows->sequence.push_back(record.sequence);
    rows->dispatch.push_back(time_or_nothing(record.dispatch));
    rows->finish.push_back(time_or_nothing(record.finish));
    if (record.core >= thread_of_core_.size()) thread_of_core_.resize(record.core + 1, kNoThread);
    std::int32_t& known = thread_of_core_[record.core];
    const std::int32_t number = thread < kMaxThreads ? static_cast<std::int32_t>(thread) : kSeveral;
    known = known == kNoThread || known == number ? number : kSeveral;
  }
}

void RecordedRows::add_phase(std::uint32_t thread, std::uint64_t start, std::uint32_t duration, PhaseRow row,
                             std::uint64_t offset) {
  if (!is_possible(start, duration)) return impossible_times_.note(offset);
  std::vector<PhaseRow>* rows = rows_of_thread(draft_.capture.scheduler_threads, thread, offset);
  if (rows == nullptr) return;
  note_length(duration, offset);
  row.start = static_cast<std::int64_t>(start);
  row.end = end_of(start, duration);
  row.end_unknown = !recorder::is_length(duration);
  rows->push_back(row);
  ++draft_.capture.counts.phases;
}

void RecordedRows::add(std::span<const recorder::SchedulerPhaseRecord> records, std::uint32_t thread,
                       std::uint64_t offset) {
  const auto counted = [](std::uint16_t looks) {
    return looks == recorder::kNotCounted ? std::nullopt : std::optional<std::uint64_t>(looks);
  };
  for (const recorder::SchedulerPhaseRecord& record : records) {
    PhaseRow row{.kind = record.phase,
                 .loop = record.loop,
                 .tasks_processed = record.tasks_processed,
                 .pop_hits = counted(record.pop_hits),
                 .pop_misses = counted(record.pop_misses)};
    if (record.ready[0] != recorder::kNoDepth)
      row.queues_at_end = {record.ready[0], record.ready[1], record.ready[2]};
    add_phase(thread, record.start, record.duration, row, offset);
  }
}

void RecordedRows::add(std::span<const recorder::ControlTaskRecord> records, std::uint32_t thread,
                       std::uint64_t offset) {
  has_control_tasks_ |= !records.empty();
  for (const recorder::ControlTaskRecord& record : records)
    add_phase(thread, record.start, record.duration,
              {.kind = record.phase,
               .loop = record.loop,
               .tasks_processed = record.tasks_processed,
               .task = record.task},
              offset);
}

void RecordedRows::add(std::span<const recorder::QueueDepthRecord> records, std::uint32_t thread,
                       std::uint64_t offset) {
  auto* rows = rows_of_thread(queue_depths_, thread, offset);
  if (rows != nullptr) rows->insert(rows->end(), records.begin(), records.end());
}

void RecordedRows::add(std::span<const recorder::OrchestratorPhaseRecord> records, std::uint32_t orchestrator,
                       std::uint64_t offset) {
  std::vector<SubmitRow>* rows = rows_of_thread(draft_.capture.orchestrators, orchestrator, offset);
  if (rows == nullptr) return;
  for (const recorder::OrchestratorPhaseRecord& record : records) {
    if (!is_possible(record.start, record.duration)) {
      impossible_times_.note(offset);
      continue;
    }
    note_length(record.duration, offset);
    rows->push_back({.submit_index = record.submit_index,
                     .task = record.task,
                     .start = static_cast<std::int64_t>(record.start),
                     .end = end_of(record.start, record.duration),
                     .phase = record.phase,
                     .end_unknown = !recorder::is_length(record.duration)});
    ++draft_.capture.counts.submits;
  }
}

base::Result<Capture> RecordedRows::settle(const RecordingFacts& facts, trace::QualityTable& quality) && {
  state_facts(facts);
  state_threads(facts);
  order_control_tasks();
  join_queue_depths();
  name_phases(facts);
  add_quality(quality);
  ACCELSCOPE_TRY(Capture settled, chip_swimlane::settled(std::move(draft_), path_));
  if (facts.clock.known()) settled.frequency = facts.clock.reduced();
  return settled;
}

void RecordedRows::state_facts(const RecordingFacts& facts) {
  using chip_swimlane::CoreType;
  draft_.level_key = swimlane_level_of(facts.dfx_flags);
  draft_.has_core_rows = true;
  draft_.kept_the_last_only = facts.policy == "overwrite";
  draft_.capture.counts.scheduler_rows = draft_.scheduler.rows;
  draft_.scheduler.is_there = (facts.dfx_flags & kDfxTaskLifecycle) != 0 || draft_.scheduler.rows > 0;
  draft_.has_phases = draft_.has_submits = (facts.dfx_flags & kDfxPhaseBuffers) != 0;
  // Any number that is known will do here: settle() sets the real one, which may be a fraction.
  if (facts.clock.known()) draft_.clock_freq_hz = 1;
  if (!facts.cores.empty()) draft_.num_cores = facts.cores.size();
  for (const capture::CoreType type : facts.cores)
    draft_.core_types.push_back(type == capture::CoreType::kCube     ? CoreType::kCube
                                : type == capture::CoreType::kVector ? CoreType::kVector
                                                                     : CoreType::kUnknown);
  if (draft_.core_types.size() > chip_swimlane::kMaxCores) {
    draft_.core_types.resize(chip_swimlane::kMaxCores);
    draft_.impossible_cores_named.note(0);
  }
}

void RecordedRows::state_threads(const RecordingFacts& facts) {
  if (draft_.has_phases) {
    const auto grow = [](auto& threads, std::uint32_t count) {
      if (count <= kMaxThreads && count > threads.size()) threads.resize(count);
    };
    grow(draft_.capture.scheduler_threads, facts.scheduler_threads);
    grow(draft_.capture.orchestrators, facts.orchestrators);
  }
  std::replace(thread_of_core_.begin(), thread_of_core_.end(), kSeveral, kNoThread);
  if (std::all_of(thread_of_core_.begin(), thread_of_core_.end(),
                  [](std::int32_t thread) { return thread == kNoThread; }))
    return;
  thread_of_core_.resize(std::max(thread_of_core_.size(), draft_.core_types.size()), kNoThread);
  draft_.capture.core_to_thread = std::move(thread_of_core_);
}

// They come in buffers of their own; a thread's rows are in the order in which they were recorded.
void RecordedRows::order_control_tasks() {
  if (!has_control_tasks_) return;
  for (std::vector<PhaseRow>& rows : draft_.capture.scheduler_threads)
    std::stable_sort(rows.begin(), rows.end(),
                     [](const PhaseRow& a, const PhaseRow& b) { return a.end < b.end; });
}

// Depths belong to the phase that began when they were read.
void RecordedRows::join_queue_depths() {
  for (std::size_t thread = 0; thread < queue_depths_.size(); ++thread) {
    std::vector<recorder::QueueDepthRecord>& depths = queue_depths_[thread];
    const auto earlier = [](const auto& a, const auto& b) { return a.start < b.start; };
    if (!std::is_sorted(depths.begin(), depths.end(), earlier))
      std::stable_sort(depths.begin(), depths.end(), earlier);
    if (thread >= draft_.capture.scheduler_threads.size()) break;
    for (PhaseRow& row : draft_.capture.scheduler_threads[thread]) {
      const recorder::QueueDepthRecord wanted{static_cast<std::uint64_t>(row.start), {}, 0};
      const auto found = std::lower_bound(depths.begin(), depths.end(), wanted, earlier);
      if (found != depths.end() && found->start == wanted.start)
        row.queues_at_start = {found->ready[0], found->ready[1], found->ready[2]};
    }
  }
}

// Numbers become positions in the capture's own list, which has the names in the order of their first use.
void RecordedRows::name_phases(const RecordingFacts& facts) {
  struct Phase {
    std::uint32_t position = UINT32_MAX;
    bool named = false;
    bool of_scheduler = false;
    bool of_orchestrator = false;
  };
  std::vector<Phase> phases(std::size_t{UINT16_MAX} + 1);
  const auto phase_of = [&](std::uint32_t number) {
    Phase& phase = phases[number];
    if (phase.position != UINT32_MAX) return phase;
    phase.named = number < facts.phases.size() && !facts.phases[number].empty();
    const std::string name = phase.named ? facts.phases[number] : fmt::format("phase {}", number);
    phase.position = chip_swimlane::phase_position(draft_, name);
    phase.of_scheduler = chip_swimlane::is_scheduler_phase(name);
    phase.of_orchestrator = chip_swimlane::is_orchestrator_phase(name);
    return phase;
  };
  const auto note = [&](const Phase& phase, bool known) {
    if (!phase.named) unnamed_phases_.note(0);
    if (phase.named && !known) draft_.unknown_kinds.note(0);
    return phase.position;
  };
  for (std::vector<PhaseRow>& rows : draft_.capture.scheduler_threads)
    for (PhaseRow& row : rows) {
      const Phase phase = phase_of(row.kind);
      row.kind = note(phase, phase.of_scheduler);
    }
  for (std::vector<SubmitRow>& rows : draft_.capture.orchestrators)
    for (SubmitRow& row : rows) {
      const Phase phase = phase_of(row.phase);
      row.phase = note(phase, phase.of_orchestrator);
    }
}

void RecordedRows::add_quality(trace::QualityTable& quality) const {
  const auto add = [&](std::string_view id, Severity severity, const chip_swimlane::Oddity& oddity,
                       std::string_view sentence) {
    if (oddity.count > 0)
      quality.add({std::string(id), severity, std::string(sentence), oddity.count,
                   Location::byte(path_, oddity.first_offset.value_or(0))});
  };
  add("recording.clock_backwards", Severity::kWarning, backwards_,
      "The clock went backwards within a record: its length is not known and shown as zero.");
  add("recording.too_long", Severity::kWarning, too_long_,
      "A record's length is beyond 32 bits: it lasted at least as long as is shown.");
  add("recording.impossible_time", Severity::kError, impossible_times_,
      "A record's times are beyond 63 bits: it is left out.");
  add("recording.impossible_producer", Severity::kError, impossible_producers_,
      "Buffers of a thread whose number is 65536 or more: they are left out.");
  add("recording.phase_without_name", Severity::kWarning, unnamed_phases_,
      "The configuration has no name for the number of a phase: it is shown under its number.");
}

}  // namespace accelscope::formats::chip_run
