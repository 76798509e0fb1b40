#include "views/swimlane/layout.h"

#include <fmt/core.h>

#include <algorithm>

#include "trace/core_pipes.h"
#include "trace/vocabulary.h"
#include "views/lanes.h"

namespace accelscope::views::swimlane {
namespace {

using trace::ChipCore;
using trace::ChipRun;
using trace::StringId;
using trace::Trace;
using trace::TraceBuilder;
using trace::Track;
using trace::TrackKind;
using trace::TrackLevel;

// From top to bottom. Others keep their order behind these.
enum class Process : std::int32_t {
  kOrchestrator,
  kHost,
  kGraphs,
  kScheduler,
  kSchedulerView,
  kWorkerView,
  kReadyQueues,
  kOthers,
};

// Viewers want numbers for processes and threads; those of the recording count from 0 for every sort.
constexpr std::int64_t number_of(Process process) {
  return (static_cast<std::int64_t>(process) + 1) * 1000;
}

bool has_rows(const Trace& trace, TrackId track) {
  return !trace.slices_of(track).empty() || !trace.states_of(track).empty() ||
         !trace.counters_of(track).empty() || !trace.instants_of(track).empty();
}

class Painter {
 public:
  Painter(const Trace& trace, const ChipRun& chip, const Survey& survey, TraceBuilder& builder)
      : trace_(trace), chip_(chip), survey_(survey), builder_(builder) {
    layout_.of_source.assign(trace.tracks().size(), TrackId::kNone);
    layout_.markers.assign(trace.tracks().size(), TrackId::kNone);
    layout_.cores.resize(chip.cores.size());
  }

  Layout lay_out() {
    add_threads(Process::kOrchestrator, "Orchestrator", chip_.orchestrators);
    add_threads(Process::kHost, "Host", host_tracks());
    if (!survey_.envelopes.empty()) add_graphs();
    add_threads(Process::kScheduler, "Scheduler", chip_.schedulers);
    add_scheduler_view();
    add_worker_view();
    add_others();
    return std::move(layout_);
  }

 private:
  TrackId add_process(Process process, std::string_view name) {
    return builder_.add_track({.name = builder_.intern(name),
                               .level = TrackLevel::kProcess,
                               .kind = TrackKind::kGroup,
                               .clock = chip_.clock,
                               .external_id = number_of(process),
                               .order = static_cast<std::int32_t>(process)});
  }
  std::vector<TrackId> host_tracks() const;
  void add_threads(Process process, std::string_view name, const std::vector<TrackId>& threads);
  void add_graphs();
  void add_scheduler_view();
  void add_worker_view();
  std::vector<TrackId> add_core(TrackId process, const ChipCore& core, const BarLanes& lanes);
  void add_pipes(std::size_t core, const trace::PipeTracks& tracks);
  void add_marker_track(TrackId process, TrackId thread, std::int32_t order);
  void add_others();
  TrackId copy(TrackId source, TrackId parent, std::int32_t order);

  const Trace& trace_;
  const ChipRun& chip_;
  const Survey& survey_;
  TraceBuilder& builder_;
  Layout layout_;
};

TrackId Painter::copy(TrackId source, TrackId parent, std::int32_t order) {
  Track track = trace_.track(source);
  track.name = builder_.intern(trace_.text(track.name));
  track.counter_unit = builder_.intern(trace_.text(track.counter_unit));
  track.parent = parent;
  track.order = order;
  track.resource = trace::ResourceId::kNone;
  track.controller = TrackId::kNone;
  return layout_.of_source[index(source)] = builder_.add_track(track);
}

std::vector<TrackId> Painter::host_tracks() const {
  std::vector<TrackId> tracks;
  for (std::uint32_t id = 0; id < trace_.tracks().size(); ++id) {
    const Track& track = trace_.tracks()[id];
    if (track.resource == trace::ResourceId::kNone || track.kind == TrackKind::kGroup) continue;
    if (trace_.text(trace_.resources()[index(track.resource)].engine) == trace::engine::kHost)
      tracks.push_back(TrackId{id});
  }
  return tracks;
}

void Painter::add_threads(Process process, std::string_view name, const std::vector<TrackId>& threads) {
  TrackId parent = TrackId::kNone;
  std::int32_t order = 0;
  for (const TrackId thread : threads) {
    if (!has_rows(trace_, thread)) continue;
    if (parent == TrackId::kNone) parent = add_process(process, name);
    const TrackId added = copy(thread, parent, order++);
    builder_.track(added).external_id = number_of(process) + order;
  }
}

void Painter::add_graphs() {
  const TrackId process = add_process(Process::kGraphs, "Graph Execution");
  layout_.graphs =
      builder_.add_track({.name = builder_.intern("graphs"), .parent = process, .clock = chip_.clock});
}

std::vector<TrackId> Painter::add_core(TrackId process, const ChipCore& core, const BarLanes& lanes) {
  const std::string_view name = trace_.text(trace_.track(core.track).name);
  const Track track{.name = builder_.intern(name),
                    .parent = process,
                    .level = TrackLevel::kCore,
                    .clock = chip_.clock,
                    .external_id = core.number,
                    .order = static_cast<std::int32_t>(&core - chip_.cores.data())};
  std::vector<TrackId> tracks{builder_.add_track(track)};
  for (std::uint32_t lane = 1; lane < lanes.count; ++lane)
    tracks.push_back(builder_.add_track(lane_of(track, tracks.front(), name, lane, builder_)));
  return tracks;
}

void Painter::add_scheduler_view() {
  TrackId process = TrackId::kNone;
  for (std::size_t i = 0; i < chip_.cores.size(); ++i) {
    if (survey_.cores[i].scheduler.count == 0) continue;
    if (process == TrackId::kNone) process = add_process(Process::kSchedulerView, "Scheduler View");
    layout_.cores[i].scheduler = add_core(process, chip_.cores[i], survey_.cores[i].scheduler);
  }
}

void Painter::add_worker_view() {
  const TrackId process = add_process(Process::kWorkerView, "Worker View");
  const std::vector<trace::PipeTracks> pipes = trace::pipe_tracks(trace_, chip_);
  for (std::size_t i = 0; i < chip_.cores.size(); ++i) {
    layout_.cores[i].worker = add_core(process, chip_.cores[i], survey_.cores[i].worker);
    layout_.of_source[index(chip_.cores[i].track)] = layout_.cores[i].worker.front();
    add_pipes(i, pipes[i]);
  }
  auto order = static_cast<std::int32_t>(chip_.cores.size());
  for (const TrackId thread : chip_.schedulers) add_marker_track(process, thread, order++);
  for (const TrackId thread : chip_.orchestrators) add_marker_track(process, thread, order++);
}

// Below the core's bars, in the order of pipes.
void Painter::add_pipes(std::size_t core, const trace::PipeTracks& tracks) {
  constexpr std::int64_t kFirstNumber = 1'000'000;  // beyond those of cores
  const auto add = [&](TrackId source, std::size_t rank) {
    if (source == TrackId::kNone || !has_rows(trace_, source)) return;
    const TrackId added = copy(source, layout_.cores[core].worker.front(), static_cast<std::int32_t>(rank));
    builder_.track(added).external_id =
        kFirstNumber + static_cast<std::int64_t>(core * (trace::kPipes + 1) + rank);
  };
  for (std::size_t pipe = 0; pipe < trace::kPipes; ++pipe) add(tracks.pipes[pipe], pipe);
  add(tracks.gaps, trace::kPipes);
}

// Of level core, like its siblings: Perfetto draws threads elsewhere.
void Painter::add_marker_track(TrackId process, TrackId thread, std::int32_t order) {
  if (!survey_.has_markers[index(thread)]) return;
  const Track& source = trace_.track(thread);
  layout_.markers[index(thread)] = builder_.add_track(
      {.name = builder_.intern(fmt::format("{}: without a core", trace_.text(source.name))),
       .parent = process,
       .level = TrackLevel::kCore,
       .clock = source.clock,
       .order = order});
}

void Painter::add_others() {
  // Parents come before their children, so going backwards meets children first.
  std::vector<bool> needed(trace_.tracks().size());
  std::vector<bool> of_host(trace_.tracks().size());  // has rows on another clock than the chip's
  for (std::uint32_t id = static_cast<std::uint32_t>(needed.size()); id-- > 0;) {
    const TrackId track{id};
    const bool drawn = layout_.of_source[id] != TrackId::kNone;
    needed[id] = !drawn && (needed[id] || has_rows(trace_, track));
    const TrackId parent = trace_.track(track).parent;
    if (!needed[id]) continue;
    of_host[id] = of_host[id] || (has_rows(trace_, track) && trace_.track(track).clock != chip_.clock);
    if (parent == TrackId::kNone) continue;
    needed[index(parent)] = true;
    of_host[index(parent)] = of_host[index(parent)] || of_host[id];
  }
  for (std::uint32_t id = 0; id < needed.size(); ++id) {
    if (!needed[id]) continue;
    const Track& track = trace_.tracks()[id];
    if (track.parent != TrackId::kNone) {
      copy(TrackId{id}, layout_.of_source[index(track.parent)], track.order);
      continue;
    }
    const bool is_queues = trace_.text(track.name) == trace::track_group::kReadyQueues;
    const Process rank = is_queues ? Process::kReadyQueues : of_host[id] ? Process::kHost : Process::kOthers;
    const TrackId added = copy(TrackId{id}, TrackId::kNone, static_cast<std::int32_t>(rank));
    if (is_queues) builder_.track(added).name = builder_.intern("Ready queues");
  }
}

}  // namespace

Layout lay_out(const Trace& trace, const ChipRun& chip, const Survey& survey, TraceBuilder& builder) {
  return Painter(trace, chip, survey, builder).lay_out();
}

}  // namespace accelscope::views::swimlane
