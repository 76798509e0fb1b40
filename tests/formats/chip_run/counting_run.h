// A run of which every record is known beforehand: seeded producers on a clock that counts. What a recording
// of it holds of a producer must be a beginning of this.
//
// Pure; a record is a function of its producer and number.
//
//   const recorder::CoreTaskRecord third = core_task(5, 2);
#pragma once

#include <cstdint>

#include "accelscope/recorder/records.h"
#include "base/hash.h"

namespace accelscope::tests {

inline constexpr std::uint32_t kCountingCores = 6;
inline constexpr std::uint32_t kCountingThreads = 2;

inline std::uint32_t choice(std::uint64_t a, std::uint64_t b, std::uint64_t choices) {
  return static_cast<std::uint32_t>(base::hash_of(a, b) % choices);
}

inline recorder::CoreTaskRecord core_task(std::uint32_t core, std::uint64_t number) {
  return {.start = 1'000'000 + number * 1000 + choice(core, number, 100),
          .task = number * kCountingCores + core,
          .duration = 200 + choice(number, core, 600),
          .receive_to_start = choice(core + 100, number, 90),
          .sequence = static_cast<std::uint32_t>(number + 1),
          .function = choice(core, number / 50, 9)};
}

inline recorder::TaskLifecycleRecord lifecycle(std::uint32_t thread, std::uint64_t number) {
  const std::uint32_t cores = kCountingCores / kCountingThreads;
  const auto core = static_cast<std::uint32_t>(number % cores) * kCountingThreads + thread;
  const recorder::CoreTaskRecord task = core_task(core, number / cores);
  return {.dispatch = task.start - 100,
          .finish = task.start + task.duration + 30,
          .sequence = task.sequence,
          .core = core};
}

inline recorder::SchedulerPhaseRecord phase(std::uint32_t thread, std::uint64_t number) {
  return {.start = 1'000'000 + number * 500,
          .duration = 10 + choice(thread, number, 400),
          .loop = static_cast<std::uint32_t>(number),
          .tasks_processed = choice(number, thread, 4),
          .phase = static_cast<std::uint16_t>(number % 2),
          .ready = {1, static_cast<std::int16_t>(number % 7), 0},
          .pop_hits = 1,
          .pop_misses = 2};
}

// Tensor n of a thread begins with block 3 * n and has as many bytes as fit three blocks, or fewer.
inline recorder::TensorRecord tensor(std::uint32_t thread, std::uint64_t number) {
  const std::uint32_t bytes = 129 + choice(thread, number, 64);
  return {.task = number * kCountingThreads + thread,
          .payload_offset = number * 3 * recorder::TensorBlockRecord::kBytes,
          .payload_bytes = bytes,
          .argument = 0,
          .role = recorder::TensorRole::kIn,
          .stage = recorder::TensorStage::kBefore,
          .data_type = recorder::DataType::kUint8,
          .dimensions = 1,
          .shape = {bytes},
          .flags = 0,
          .value = 0,
          .start_offset = 0,
          .strides = {1},
          .reserved = 0};
}

inline recorder::TensorBlockRecord block(std::uint32_t thread, std::uint64_t number) {
  recorder::TensorBlockRecord block = {};
  for (std::uint32_t i = 0; i < recorder::TensorBlockRecord::kBytes; ++i)
    block.bytes[i] = static_cast<unsigned char>(choice(number * kCountingThreads + thread, i, 256));
  return block;
}

}  // namespace accelscope::tests
