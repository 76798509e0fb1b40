#include "capture/record_traits.h"

#include <algorithm>

namespace accelscope::capture {
namespace {

// The one list of kinds.
constexpr RecordKindFacts kKinds[] = {
    facts_of<recorder::CoreTaskRecord>(),
    facts_of<recorder::TaskLifecycleRecord>(),
    facts_of<recorder::EdgeRecord>(),
    facts_of<recorder::SchedulerPhaseRecord>(),
    facts_of<recorder::OrchestratorPhaseRecord>(),
    facts_of<recorder::TaskDescriptionRecord>(),
    facts_of<recorder::TensorRecord>(),
    facts_of<recorder::PmuRecord>(),
    facts_of<recorder::ControlTaskRecord>(),
    facts_of<recorder::QueueDepthRecord>(),
    facts_of<recorder::ScopeRecord>(),
    facts_of<recorder::TensorBlockRecord>(),
    facts_of<recorder::PerfmonDrainRecord>(),
    facts_of<recorder::PerfmonBlockRecord>(),
};

}  // namespace

std::span<const RecordKindFacts> record_kinds() {
  return kKinds;
}

const RecordKindFacts* facts_of(recorder::RecordKind kind) {
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [&](const auto& facts) { return facts.kind == kind; });
  return found == std::end(kKinds) ? nullptr : found;
}

const char* name_of(recorder::RecordKind kind) {
  const RecordKindFacts* facts = facts_of(kind);
  return facts == nullptr ? "unknown record" : facts->name;
}

}  // namespace accelscope::capture
