#include "formats/capture/record_layout.h"

#include <algorithm>

namespace accelscope::formats::capture {
namespace {

using recorder::RecordKind;

struct KnownKind {
  RecordLayout layout;
  std::string_view name;
};

constexpr std::array kKnownKinds{
    KnownKind{layout_of<recorder::CoreTaskRecord>(), "core tasks"},
    KnownKind{layout_of<recorder::TaskLifecycleRecord>(), "task lifecycles"},
    KnownKind{layout_of<recorder::EdgeRecord>(), "dependency edges"},
    KnownKind{layout_of<recorder::SchedulerPhaseRecord>(), "scheduler phases"},
    KnownKind{layout_of<recorder::OrchestratorPhaseRecord>(), "orchestrator phases"},
    KnownKind{layout_of<recorder::TaskDescriptionRecord>(), "task descriptions"},
    KnownKind{layout_of<recorder::TensorRecord>(), "tensors"},
    KnownKind{layout_of<recorder::PmuRecord>(), "PMU readings"},
    KnownKind{layout_of<recorder::ControlTaskRecord>(), "control tasks"},
    KnownKind{layout_of<recorder::QueueDepthRecord>(), "queue depths"},
    KnownKind{layout_of<recorder::ScopeRecord>(), "scopes"},
    KnownKind{layout_of<recorder::TensorBlockRecord>(), "blocks of tensors"},
    KnownKind{layout_of<recorder::PerfmonDrainRecord>(), "perfmon drains"},
    KnownKind{layout_of<recorder::PerfmonBlockRecord>(), "blocks of perfmon traces"},
};

const KnownKind* find(RecordKind kind) {
  const auto* found = std::find_if(kKnownKinds.begin(), kKnownKinds.end(),
                                   [&](const KnownKind& known) { return known.layout.kind == kind; });
  return found == kKnownKinds.end() ? nullptr : found;
}

}  // namespace

const RecordLayout* layout_of(RecordKind kind) {
  const KnownKind* known = find(kind);
  return known == nullptr ? nullptr : &known->layout;
}

std::string_view records_name(RecordKind kind) {
  const KnownKind* known = find(kind);
  return known == nullptr ? std::string_view() : known->name;
}

}  // namespace accelscope::formats::capture
