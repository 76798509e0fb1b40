#include "formats/etdump/phases.h"

#include <algorithm>
#include <optional>

namespace accelscope::formats::etdump {
namespace {

using trace::EventRole;
using trace::RunKind;
using trace::RunStatus;

constexpr std::uint32_t kUndecided = 0xFFFFFFFF;

bool is_root(const StagedEvent& event) {
  return event.parent == kNoEvent;
}

bool opens_phase(const StagedEvent& event) {
  return event.role == EventRole::kMethodExecute || event.role == EventRole::kMethodStep ||
         event.role == EventRole::kLoad;
}

// The run of a block without the event that would have ended it.
Phase unfinished_phase(const std::vector<StagedEvent>& events, std::string_view block_name) {
  Phase phase;
  phase.kind = block_name == "Execute"   ? RunKind::kExecution
               : block_name == "Default" ? RunKind::kLoad
                                         : RunKind::kOther;
  phase.status = events.empty() ? RunStatus::kEmpty : RunStatus::kAborted;
  if (phase.kind != RunKind::kOther || events.empty()) return phase;
  // A block that a user opened, with events of the user's own, needs no method around it.
  const bool has_calls = std::any_of(events.begin(), events.end(), [](const StagedEvent& event) {
    return event.role == EventRole::kOperatorCall || event.role == EventRole::kDelegateCall;
  });
  if (has_calls) return phase;
  phase.status = RunStatus::kComplete;
  if (std::count_if(events.begin(), events.end(), is_root) == 1)
    phase.root =
        static_cast<std::uint32_t>(std::find_if(events.begin(), events.end(), is_root) - events.begin());
  return phase;
}

// Gives every root its phase: events that open none belong to the one that ends next, or to the last.
std::vector<Phase> phases_of_roots(std::vector<StagedEvent>& events) {
  std::vector<Phase> phases;
  std::optional<std::uint32_t> stepped;
  std::vector<std::uint32_t> waiting;
  std::uint32_t latest = kUndecided;
  for (std::uint32_t position = 0; position < events.size(); ++position) {
    StagedEvent& event = events[position];
    if (!is_root(event)) continue;
    if (!opens_phase(event)) {
      waiting.push_back(position);
      continue;
    }
    const bool step = event.role == EventRole::kMethodStep;
    if (step && stepped) {
      latest = *stepped;
    } else {
      latest = static_cast<std::uint32_t>(phases.size());
      phases.push_back({event.role == EventRole::kLoad ? RunKind::kLoad : RunKind::kExecution,
                        RunStatus::kComplete, position, step});
      if (step) stepped = latest;
    }
    event.phase = latest;
    for (const std::uint32_t earlier : waiting) events[earlier].phase = latest;
    waiting.clear();
  }
  if (!phases.empty())
    for (const std::uint32_t position : waiting) events[position].phase = latest;
  return phases;
}

void put_event_around_steps(std::vector<StagedEvent>& events, std::uint32_t phase_index, Phase& phase,
                            trace::StringId name) {
  const auto around = static_cast<std::uint32_t>(events.size());
  StagedEvent event;
  event.name = name;
  event.role = EventRole::kMethodExecute;
  event.chain = -1;
  event.flags = trace::SliceFlag::kSynthetic;
  event.phase = phase_index;
  event.file_offset = events[phase.root].file_offset;
  event.start = events[phase.root].start;
  trace::Ticks end = events[phase.root].end();
  std::uint32_t steps = 0;
  for (StagedEvent& step : events) {
    if (!is_root(step) || step.phase != phase_index || step.role != EventRole::kMethodStep) continue;
    ++steps;
    event.start = std::min(event.start, step.start);
    end = std::max(end, step.end());
  }
  if (steps == 1) return;
  for (StagedEvent& step : events)
    if (is_root(step) && step.phase == phase_index && step.role == EventRole::kMethodStep)
      step.parent = around;
  event.duration = end - event.start;
  phase.root = around;
  events.push_back(event);
}

}  // namespace

std::vector<Phase> find_phases(std::vector<StagedEvent>& events, std::string_view block_name,
                               trace::StringId around_steps) {
  std::vector<Phase> phases = phases_of_roots(events);
  if (phases.empty()) {
    phases.push_back(unfinished_phase(events, block_name));
    return phases;
  }
  for (std::uint32_t i = 0; i < phases.size(); ++i)
    if (phases[i].stepped) put_event_around_steps(events, i, phases[i], around_steps);
  // Parents are logged later, so that going backwards meets them first.
  for (std::size_t position = events.size(); position-- > 0;)
    if (!is_root(events[position])) events[position].phase = events[events[position].parent].phase;
  return phases;
}

}  // namespace accelscope::formats::etdump
