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

namespace {

// The stages of slices in order, chunk by chunk.
class StageWalk {
 public:
  StageWalk(const Trace& trace, std::uint32_t first_slice)
      : stages_(trace.stages()),
        dispatch_(trace.strings().find(stage::kDispatch)),
        receive_(trace.strings().find(stage::kReceive)),
        finish_(trace.strings().find(stage::kFinish)),
        at_(trace.stages_of(SliceId{first_slice}).first) {
    load_chunk();
  }

  // Slices must come in order.
  void take(std::uint32_t slice, Dispatch& item) {
    for (; left_ > 0 && index(*slice_) == slice; next()) {
      const Ticks time = item.start + *offset_;
      if (*stage_ == dispatch_)
        item.dispatch = time;
      else if (*stage_ == receive_)
        item.receive = time;
      else if (*stage_ == finish_)
        item.finish = time;
    }
  }

 private:
  void next() {
    ++slice_;
    ++stage_;
    ++offset_;
    if (--left_ == 0) load_chunk();
  }
  void load_chunk() {
    const std::span<const SliceId> slices = stages_.slice.chunk_from(at_);
    slice_ = slices.data();
    stage_ = stages_.stage.chunk_from(at_).data();
    offset_ = stages_.offset.chunk_from(at_).data();
    left_ = slices.size();
    at_ += static_cast<std::uint32_t>(slices.size());
  }

  const StageTable& stages_;
  StringId dispatch_;
  StringId receive_;
  StringId finish_;
  std::uint32_t at_;      // behind the chunk that is walked
  std::size_t left_ = 0;  // in the chunk
  const SliceId* slice_ = nullptr;
  const StringId* stage_ = nullptr;
  const Ticks* offset_ = nullptr;
};

}  // namespace

std::vector<Dispatch> dispatches_in(const Trace& trace, RowRange rows) {
  const SliceTable& slices = trace.slices();
  const CategoryId execution = trace.find_category(category::kTaskExecution);
  StageWalk stages(trace, rows.first);
  std::vector<Dispatch> result;
  result.reserve(rows.count);
  for (std::uint32_t row = rows.first; row < rows.end();) {
    const std::span<const Ticks> start = slices.start.chunk_from(row);
    const Ticks* duration = slices.duration.chunk_from(row).data();
    const TaskId* task = slices.task.chunk_from(row).data();
    const StringId* name = slices.name.chunk_from(row).data();
    const CategoryId* category = slices.category.chunk_from(row).data();
    const std::size_t count = std::min<std::size_t>(start.size(), rows.end() - row);
    for (std::size_t i = 0; i < count; ++i, ++row) {
      Dispatch item{.slice = SliceId{row},
                    .task = task[i],
                    .function = name[i],
                    .start = start[i],
                    .end = start[i] + duration[i]};
      stages.take(row, item);
      if (category[i] == execution) result.push_back(item);
    }
  }
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
