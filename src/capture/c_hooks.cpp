// The hooks of accelscope/accelscope_recorder.h.
#include <algorithm>

#include "capture/c_recorders.h"

namespace {

using namespace accelscope;            // NOLINT(google-build-using-namespace): C has no namespaces
using namespace accelscope::recorder;  // NOLINT(google-build-using-namespace)

static_assert(ACCELSCOPE_OUT == static_cast<int>(TensorRole::kOut) &&
              ACCELSCOPE_INOUT == static_cast<int>(TensorRole::kInOut) &&
              ACCELSCOPE_AFTER == static_cast<int>(TensorStage::kAfter) &&
              ACCELSCOPE_TYPE_FLOAT32 == static_cast<int>(DataType::kFloat32) &&
              ACCELSCOPE_TYPE_INT8 == static_cast<int>(DataType::kInt8) &&
              ACCELSCOPE_TYPE_UINT8 == static_cast<int>(DataType::kUint8) &&
              ACCELSCOPE_TYPE_BOOL == static_cast<int>(DataType::kBool) &&
              ACCELSCOPE_TYPE_UINT64 == static_cast<int>(DataType::kUint64) &&
              ACCELSCOPE_TYPE_UINT64 + 1 == kDataTypes);

// A number that no type has must not become one by being cut to a byte.
DataType type_of(std::uint32_t data_type) {
  return data_type < kDataTypes ? static_cast<DataType>(data_type) : DataType::kUnknown;
}

// What cannot be stays so, and too many dimensions too many: the record says it, and readers leave it out.
TensorDescription description_of(const accelscope_argument& tensor) {
  TensorDescription description{
      .task = tensor.task,
      .argument = tensor.argument,
      .role = static_cast<TensorRole>(std::min<std::uint32_t>(tensor.role, UINT8_MAX)),
      .stage = static_cast<TensorStage>(std::min<std::uint32_t>(tensor.stage, UINT8_MAX)),
      .data_type = type_of(tensor.data_type),
      .dimensions = static_cast<std::uint8_t>(std::min(tensor.dimensions, kMaxDimensions + 1)),
      .start_offset = tensor.start_offset};
  const std::uint32_t dimensions = std::min(tensor.dimensions, kMaxDimensions);
  std::copy_n(tensor.shape, dimensions, description.shape);
  if (tensor.strides != nullptr)
    std::copy_n(tensor.strides, dimensions, description.strides);
  else if (description.dimensions <= kMaxDimensions)
    set_contiguous(description);
  return description;
}

ScopeRecord boundary_of(const accelscope_scope& scope, bool begins) {
  return {.site = scope.site,
          .depth = scope.depth,
          .ring = scope.ring,
          .begins = begins ? std::uint8_t{1} : std::uint8_t{0},
          .task_window_start = scope.task_window_start,
          .task_window_end = scope.task_window_end,
          .heap_start = scope.heap_start,
          .heap_end = scope.heap_end,
          .dep_pool_start = scope.dep_pool_start,
          .dep_pool_end = scope.dep_pool_end,
          .tensormap = scope.tensormap};
}

}  // namespace

void accelscope_core_receive(accelscope_core* core) {
  core->recorder.on_receive();
}
void accelscope_core_start(accelscope_core* core) {
  core->recorder.on_start();
}
void accelscope_core_end(accelscope_core* core, uint64_t task, uint32_t sequence, uint32_t function) {
  core->recorder.on_end(task, sequence, function);
}
void accelscope_core_flush(accelscope_core* core) {
  core->flush();
}

uint64_t accelscope_scheduler_dispatch(accelscope_scheduler* scheduler) {
  return scheduler->lifecycle.on_dispatch();
}
void accelscope_scheduler_finish(accelscope_scheduler* scheduler, uint32_t core, uint32_t sequence,
                                 uint64_t dispatched) {
  scheduler->lifecycle.on_finish(core, sequence, dispatched);
}
uint64_t accelscope_scheduler_phase_begin(accelscope_scheduler* scheduler) {
  return scheduler->phase.on_begin();
}
void accelscope_scheduler_phase_end(accelscope_scheduler* scheduler, uint16_t phase, uint64_t begun,
                                    const accelscope_phase_counts* counts) {
  scheduler->phase.on_end(phase, begun,
                          {.loop = counts->loop,
                           .tasks_processed = counts->tasks_processed,
                           .pop_hits = counts->pop_hits,
                           .pop_misses = counts->pop_misses,
                           .ready = {counts->ready[0], counts->ready[1], counts->ready[2]}});
}
void accelscope_scheduler_queue_depths(accelscope_scheduler* scheduler, uint64_t begun,
                                       const int16_t ready[3]) {
  scheduler->queue_depth.on_fact({.start = begun, .ready = {ready[0], ready[1], ready[2]}, .reserved = 0});
}
void accelscope_scheduler_control_task(accelscope_scheduler* scheduler, uint16_t phase, uint64_t begun,
                                       uint64_t task, uint32_t loop, uint32_t tasks_processed) {
  scheduler->control.on_end(phase, begun, task, loop, tasks_processed);
}
void accelscope_scheduler_pmu(accelscope_scheduler* scheduler, uint32_t core, uint32_t sequence,
                              uint64_t task, uint64_t total_cycles, const uint32_t counters[10]) {
  PmuRecord record{
      .task = task, .total_cycles = total_cycles, .sequence = sequence, .core = core, .counters = {}};
  std::copy_n(counters, PmuRecord::kCounters, record.counters);
  scheduler->pmu.on_fact(record);
}
void accelscope_scheduler_tensor(accelscope_scheduler* scheduler, const accelscope_argument* tensor,
                                 const void* data) {
  // Before the description is made: when the feature is off, this is all there is to it.
  if (scheduler->tensors.get() == nullptr) return;
  scheduler->dump.on_tensor(description_of(*tensor), data);
}
void accelscope_scheduler_scalar(accelscope_scheduler* scheduler, uint64_t task, uint32_t argument,
                                 accelscope_data_type data_type, uint64_t bits) {
  scheduler->dump.on_scalar(task, argument, type_of(data_type), bits);
}
void accelscope_scheduler_flush(accelscope_scheduler* scheduler) {
  scheduler->flush();
}

uint64_t accelscope_orchestrator_begin(accelscope_orchestrator* orchestrator) {
  return orchestrator->phase.on_begin();
}
void accelscope_orchestrator_end(accelscope_orchestrator* orchestrator, uint16_t phase, uint64_t begun,
                                 uint64_t task, uint32_t submit_index) {
  orchestrator->phase.on_end(phase, begun, task, submit_index);
}
void accelscope_orchestrator_edge(accelscope_orchestrator* orchestrator, uint64_t producer, uint64_t consumer,
                                  accelscope_edge_reason reason, uint32_t argument) {
  orchestrator->edge.on_edge(producer, consumer, static_cast<EdgeReason>(reason), argument);
}
void accelscope_orchestrator_task(accelscope_orchestrator* orchestrator, uint64_t task,
                                  const int32_t kernels[3], uint32_t blocks) {
  orchestrator->description.on_fact({.task = task,
                                     .kernels = {kernels[0], kernels[1], kernels[2]},
                                     .blocks = blocks,
                                     .flags = 0,
                                     .reserved = 0});
}
void accelscope_orchestrator_scope_begin(accelscope_orchestrator* orchestrator,
                                         const accelscope_scope* scope) {
  orchestrator->scope.on_fact(boundary_of(*scope, true));
}
void accelscope_orchestrator_scope_end(accelscope_orchestrator* orchestrator, const accelscope_scope* scope) {
  orchestrator->scope.on_fact(boundary_of(*scope, false));
}
void accelscope_orchestrator_flush(accelscope_orchestrator* orchestrator) {
  orchestrator->flush();
}
