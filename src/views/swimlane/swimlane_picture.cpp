#include "views/swimlane/swimlane_picture.h"

#include <algorithm>

#include "trace/chip_run.h"
#include "trace/core_pipes.h"
#include "trace/trace_builder.h"
#include "views/lanes.h"
#include "views/swimlane/part.h"

namespace accelscope::views {
namespace {

using swimlane::CoreRows;
using swimlane::PartMaker;
using swimlane::Scene;
using trace::RowRange;
using trace::Ticks;
using trace::Trace;
using trace::TraceBuilder;
using trace::TrackId;

struct PartPlan {
  std::vector<TrackId> threads = {};  // of the recording
  std::vector<CoreRows> cores = {};
};

struct SwimlaneParts {
  Scene scene;
  std::shared_ptr<const Trace> first = {};
  std::vector<PartPlan> parts = {};
};

TraceBuilder with_clocks_of(const Trace& trace) {
  TraceBuilder builder;
  for (const trace::ClockDomain& clock : trace.clocks())
    builder.add_clock({builder.intern(trace.text(clock.name)), clock.frequency});
  for (const trace::ClockRelation& relation : trace.clock_relations()) builder.add_clock_relation(relation);
  return builder;
}

void copy_whole(const Trace& trace, TraceBuilder& builder) {
  const auto text = [&](trace::StringId id) { return builder.intern(trace.text(id)); };
  for (const trace::Fact& fact : trace.facts()) {
    trace::Value value = fact.value;
    if (value.holds_text()) value.bits = index(text(value.as_text()));
    builder.add_fact(trace.text(fact.key), value);
  }
  for (trace::Accounting row : trace.accounting()) {
    row.producer = text(row.producer);
    row.drop_reason = text(row.drop_reason);
    builder.add_accounting(row);
  }
  for (const trace::SourceFile& source : trace.sources()) builder.add_source(source);
  builder.quality().append(trace.quality());
}

TraceBuilder like_first_part(const Trace& first) {
  TraceBuilder builder = with_clocks_of(first);
  for (trace::Track track : first.tracks()) {
    track.name = builder.intern(first.text(track.name));
    track.counter_unit = builder.intern(first.text(track.counter_unit));
    builder.add_track(track);
  }
  return builder;
}

// Scheduler threads and pipes have many rows and parts of their own, unless they need lanes, which only the
// first part can give.
std::vector<TrackId> threads_apart(const Scene& scene) {
  std::vector<TrackId> threads;
  const auto take = [&](TrackId track) {
    if (track != TrackId::kNone && !scene.trace.slices_of(track).empty() && nests(scene.trace, track))
      threads.push_back(track);
  };
  for (const TrackId thread : scene.chip.schedulers) take(thread);
  for (const trace::PipeTracks& core : trace::pipe_tracks(scene.trace, scene.chip))
    for (const TrackId pipe : core.pipes) take(pipe);
  return threads;
}

base::Result<Trace> make_first_part(const Scene& scene, TraceBuilder builder,
                                    const std::vector<TrackId>& threads_apart) {
  std::vector<bool> is_apart(scene.trace.tracks().size());
  for (const TrackId thread : threads_apart) is_apart[index(thread)] = true;
  for (const trace::ChipCore& core : scene.chip.cores) is_apart[index(core.track)] = true;
  copy_whole(scene.trace, builder);
  PartMaker part(scene, std::move(builder));
  for (std::uint32_t id = 0; id < is_apart.size(); ++id) {
    if (!is_apart[id]) part.draw_slices(TrackId{id});
    part.draw_side_rows(TrackId{id});
  }
  part.draw_envelopes();
  ACCELSCOPE_TRY(Trace first, std::move(part).finish());
  if (!needs_lanes(first)) return first;
  return split_overlaps(first);
}

// Parts of equal size and an even number of them, so that two threads end together; one where there is little
// to do. The same on every machine.
std::uint32_t rows_of_a_part(std::uint32_t rows, std::uint32_t most) {
  if (rows <= most / 4) return most;
  const std::uint64_t pairs = (std::uint64_t{rows} + 2 * std::uint64_t{most} - 1) / (2 * std::uint64_t{most});
  return static_cast<std::uint32_t>((rows + 2 * pairs - 1) / (2 * pairs));
}

// Packs small cores together and cuts large ones.
std::vector<PartPlan> plan_parts(const Scene& scene, const std::vector<TrackId>& threads,
                                 std::uint32_t rows_per_part) {
  std::vector<PartPlan> parts;
  std::uint32_t room = 0;
  const auto take = [&](std::uint32_t wanted) {
    if (room == 0) {
      parts.emplace_back();
      room = rows_per_part;
    }
    const std::uint32_t taken = std::min(wanted, room);
    room -= taken;
    return taken;
  };
  for (const TrackId thread : threads) {
    take(scene.trace.slices_of(thread).count);
    parts.back().threads.push_back(thread);
  }
  for (std::size_t core = 0; core < scene.chip.cores.size(); ++core) {
    const RowRange rows = scene.trace.slices_of(scene.chip.cores[core].track);
    for (std::uint32_t first = rows.first; first < rows.end();) {
      const std::uint32_t count = take(rows.end() - first);
      parts.back().cores.push_back({core, {first, count}});
      first += count;
    }
  }
  return parts;
}

base::Result<Trace> make_part(const SwimlaneParts& all, std::uint32_t number) {
  const PartPlan& plan = all.parts[number - 1];
  PartMaker part(all.scene, like_first_part(*all.first));
  for (const TrackId thread : plan.threads) part.draw_slices(thread);
  part.draw_dispatches(plan.cores);
  return std::move(part).finish();
}

std::vector<Ticks> first_times(const Scene& scene) {
  std::vector<Ticks> times = first_times_of(scene.trace);
  for (const swimlane::CoreSurvey& core : scene.survey.cores)
    times[index(scene.chip.clock)] = std::min(times[index(scene.chip.clock)], core.first_time);
  return times;
}

}  // namespace

base::Result<Picture> swimlane_picture(const Trace& trace, const SwimlaneOptions& options) {
  ACCELSCOPE_TRY(Timeline timeline, Timeline::make(trace, 1));
  auto all = std::make_shared<SwimlaneParts>(SwimlaneParts{.scene = {.trace = trace,
                                                                     .chip = trace::chip_run(trace),
                                                                     .survey = {},
                                                                     .timeline = std::move(timeline),
                                                                     .arrows = {},
                                                                     .layout = {}}});
  Scene& scene = all->scene;
  scene.survey = swimlane::survey_run(trace, scene.chip);
  scene.arrows = swimlane::find_arrows(trace, scene.chip, scene.survey, scene.timeline);
  TraceBuilder builder = with_clocks_of(trace);
  scene.layout = swimlane::lay_out(trace, scene.chip, scene.survey, builder);
  const std::vector<TrackId> threads = threads_apart(scene);
  ACCELSCOPE_TRY(Trace first, make_first_part(scene, std::move(builder), threads));
  all->first = std::make_shared<const Trace>(std::move(first));
  // Every part has all tracks: with a number of rows in proportion, that stays a small part of the work.
  const auto tracks = static_cast<std::uint32_t>(all->first->tracks().size());
  const std::uint32_t most = std::max(options.rows_per_part, 16 * tracks);
  all->parts = plan_parts(scene, threads, rows_of_a_part(trace.slices().size(), most));
  return Picture{.first = all->first,
                 .more_parts = static_cast<std::uint32_t>(all->parts.size()),
                 .make_part = [all](std::uint32_t number) { return make_part(*all, number); },
                 .first_times = first_times(scene)};
}

}  // namespace accelscope::views
