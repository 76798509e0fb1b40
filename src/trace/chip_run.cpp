#include "trace/chip_run.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "trace/vocabulary.h"

namespace accelscope::trace {
namespace {

std::string_view engine_of(const Trace& trace, const Track& track) {
  if (track.resource == ResourceId::kNone) return {};
  return trace.text(trace.resources()[index(track.resource)].engine);
}

bool is_core(const Track& track, std::string_view engine) {
  return track.level == TrackLevel::kCore && (engine == engine::kCube || engine == engine::kVector);
}

// Clocks can be compared when they are one, or when a relation between them was measured.
bool compares(const Trace& trace, ClockId a, ClockId b) {
  if (a == b) return true;
  return std::any_of(
      trace.clock_relations().begin(), trace.clock_relations().end(), [&](const ClockRelation& relation) {
        const bool same =
            (relation.from == a && relation.to == b) || (relation.from == b && relation.to == a);
        return same && !relation.knots.empty() && relation.uncertainty != Ticks::max();
      });
}

Value fact_of(const Trace& trace, std::string_view key) {
  for (const Fact& fact : trace.facts())
    if (trace.text(fact.key) == key) return fact.value;
  return {};
}

// Which of the ready queues a track is the counter of.
std::optional<std::size_t> queue_of(const Trace& trace, const Track& track) {
  if (track.kind != TrackKind::kCounter || track.parent == TrackId::kNone) return std::nullopt;
  if (trace.text(trace.track(track.parent).name) != track_group::kReadyQueues) return std::nullopt;
  constexpr std::array<std::string_view, 3> kNames = {engine::kCube, engine::kVector, task_kind::kMix};
  const auto name = std::find(kNames.begin(), kNames.end(), trace.text(track.name));
  if (name == kNames.end()) return std::nullopt;
  return static_cast<std::size_t>(name - kNames.begin());
}

}  // namespace

bool is_chip_run(const Trace& trace) {
  return std::any_of(trace.tracks().begin(), trace.tracks().end(),
                     [&](const Track& track) { return is_core(track, engine_of(trace, track)); });
}

ChipRun chip_run(const Trace& trace) {
  ChipRun chip;
  for (std::uint32_t id = 0; id < trace.tracks().size(); ++id) {
    const Track& track = trace.tracks()[id];
    const std::string_view engine = engine_of(trace, track);
    if (is_core(track, engine)) {
      // The vocabulary's words outlive the trace.
      const std::string_view word = engine == engine::kCube ? engine::kCube : engine::kVector;
      chip.cores.push_back({TrackId{id}, track.external_id, word, track.controller});
      chip.clock = track.clock;
    } else if (track.kind == TrackKind::kSlices && engine == engine::kScheduler) {
      chip.schedulers.push_back(TrackId{id});
    } else if (track.kind == TrackKind::kSlices && engine == engine::kOrchestrator) {
      chip.orchestrators.push_back(TrackId{id});
    } else if (const std::optional<std::size_t> queue = queue_of(trace, track)) {
      chip.ready_queues[*queue] = TrackId{id};
    }
  }
  const auto number_of = [&](TrackId track) { return trace.track(track).external_id; };
  std::stable_sort(chip.cores.begin(), chip.cores.end(),
                   [](const ChipCore& a, const ChipCore& b) { return a.number < b.number; });
  std::stable_sort(chip.schedulers.begin(), chip.schedulers.end(),
                   [&](TrackId a, TrackId b) { return number_of(a) < number_of(b); });
  for (const TrackId orchestrator : chip.orchestrators) {
    const ClockId clock = trace.track(orchestrator).clock;
    chip.orchestrated_on_host = chip.orchestrated_on_host || clock != chip.clock;
    chip.clocks_compare = chip.clocks_compare && compares(trace, clock, chip.clock);
  }
  chip.level = static_cast<int>(fact_of(trace, fact::kSwimlaneLevel).as_int());
  chip.dependencies_recorded =
      trace.task_edges().size() > 0 || fact_of(trace, fact::kDependenciesRecorded).as_bool();
  return chip;
}

std::vector<Dispatch> dispatches_of(const Trace& trace, TrackId core) {
  return dispatches_in(trace, trace.slices_of(core));
}

DispatchWalk::DispatchWalk(const Trace& trace, RowRange rows)
    : trace_(trace),
      rows_(rows),
      execution_(trace.find_category(category::kTaskExecution)),
      dispatch_(trace.strings().find(stage::kDispatch)),
      receive_(trace.strings().find(stage::kReceive)),
      finish_(trace.strings().find(stage::kFinish)),
      stages_to_(trace.stages_of(SliceId{rows.first}).first) {
  load_stages();
}

void DispatchWalk::load_stages() {
  const StageTable& stages = trace_.stages();
  const std::span<const SliceId> slices = stages.slice.chunk_from(stages_to_);
  stage_slice_ = slices.data();
  stage_ = stages.stage.chunk_from(stages_to_).data();
  stage_offset_ = stages.offset.chunk_from(stages_to_).data();
  stages_left_ = slices.size();
  stages_to_ += static_cast<std::uint32_t>(slices.size());
}

// Slices must come in order.
void DispatchWalk::take_stages(std::uint32_t slice, Dispatch& item) {
  while (stages_left_ > 0) {
    std::size_t at = 0;
    for (; at < stages_left_ && index(stage_slice_[at]) == slice; ++at) {
      const Ticks time = item.start + stage_offset_[at];
      if (stage_[at] == dispatch_)
        item.dispatch = time;
      else if (stage_[at] == receive_)
        item.receive = time;
      else if (stage_[at] == finish_)
        item.finish = time;
    }
    stage_slice_ += at;
    stage_ += at;
    stage_offset_ += at;
    stages_left_ -= at;
    if (stages_left_ > 0) return;
    load_stages();
  }
}

std::span<const Dispatch> DispatchWalk::next_block() {
  const SliceTable& slices = trace_.slices();
  std::size_t filled = 0;
  while (filled < kBlock && rows_.count > 0) {
    const std::span<const Ticks> start = slices.start.chunk_from(rows_.first);
    const Ticks* duration = slices.duration.chunk_from(rows_.first).data();
    const TaskId* task = slices.task.chunk_from(rows_.first).data();
    const StringId* name = slices.name.chunk_from(rows_.first).data();
    const CategoryId* category = slices.category.chunk_from(rows_.first).data();
    const std::size_t count = std::min({start.size(), std::size_t{rows_.count}, kBlock - filled});
    for (std::size_t i = 0; i < count; ++i) {
      Dispatch& item = block_[filled];
      const auto row = static_cast<std::uint32_t>(rows_.first + i);
      item = {.slice = SliceId{row},
              .task = task[i],
              .function = name[i],
              .start = start[i],
              .end = start[i] + duration[i]};
      take_stages(row, item);
      if (category[i] == execution_) ++filled;
    }
    rows_.first += static_cast<std::uint32_t>(count);
    rows_.count -= static_cast<std::uint32_t>(count);
  }
  return std::span(block_).first(filled);
}

std::vector<Dispatch> dispatches_in(const Trace& trace, RowRange rows) {
  std::vector<Dispatch> result;
  result.reserve(rows.count);
  for (const Dispatch& dispatch : DispatchWalk(trace, rows)) result.push_back(dispatch);
  return result;
}

char* put_task_label(char* to, std::uint64_t external_id) {
  const auto put = [&](char letter, std::uint64_t number) {
    constexpr std::ptrdiff_t kDigits = 10;
    *to++ = letter;
    to = std::to_chars(to, to + kDigits, static_cast<std::uint32_t>(number)).ptr;
  };
  if (const std::uint64_t ring = external_id >> 32U; ring != 0) put('r', ring);
  put('t', external_id & 0xFFFFFFFFU);
  return to;
}

std::string task_label(std::uint64_t external_id) {
  std::array<char, kMaxTaskLabel> label = {};
  return {label.data(), put_task_label(label.data(), external_id)};
}

}  // namespace accelscope::trace
