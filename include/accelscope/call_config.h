// How one call of a runtime is to be made: threads, diagnostics, rings, where output goes.
//
// A packed struct of fixed layout that may be copied byte by byte through a mailbox to another process or
// processor. Freestanding. The diagnostics are the flag word alone: there is no second switch that could
// contradict it.
//
//   CallConfig config;
//   config.dfx_flags = dfx_flags_of_level(3);
//   set_output_prefix(config, "out/run");
//   if (const CallConfigError error = validate(config); error != CallConfigError::kNone) return say(error);
#pragma once

#include <cstdint>

#include "accelscope/dfx_flags.h"

namespace accelscope {

inline constexpr unsigned kCallConfigRings = 4;
inline constexpr unsigned kCallConfigPrefixBytes = 1024;  // the terminating zero included

#pragma pack(push, 1)
struct CallConfig {
  std::uint64_t dfx_flags = 0;
  // 0: the runtime's own default.
  std::uint64_t ring_task_window[kCallConfigRings] = {};  // slots, a power of two
  std::uint64_t ring_heap[kCallConfigRings] = {};         // bytes
  std::uint64_t ring_dep_pool[kCallConfigRings] = {};     // entries
  std::int32_t threads = 0;                               // of the control CPU; 0: all there are
  std::uint32_t reserved = 0;
  char output_prefix[kCallConfigPrefixBytes] = {};
};
#pragma pack(pop)

static_assert(sizeof(CallConfig) == 8 + 3 * 8 * kCallConfigRings + 8 + kCallConfigPrefixBytes);

enum class CallConfigError : std::uint8_t {
  kNone,
  kUnknownFlags,
  kNoOutputPrefix,  // a feature is on, and there is nowhere to put what it records
  kPrefixNotTerminated,
  kThreads,
  kTaskWindow,
  kHeap,
  kDepPool,
};

constexpr const char* text_of(CallConfigError error) {
  switch (error) {
    case CallConfigError::kNone:
      return "valid";
    case CallConfigError::kUnknownFlags:
      return "dfx_flags has bits that no feature has";
    case CallConfigError::kNoOutputPrefix:
      return "a diagnostic is on, but output_prefix is empty";
    case CallConfigError::kPrefixNotTerminated:
      return "output_prefix has no terminating zero";
    case CallConfigError::kThreads:
      return "threads is negative or above 64";
    case CallConfigError::kTaskWindow:
      return "ring_task_window is no power of two from 4 to 2^30";
    case CallConfigError::kHeap:
      return "ring_heap is below 1024 bytes";
    case CallConfigError::kDepPool:
      return "ring_dep_pool is not between 4 and 2^31 - 1";
  }
  return "no such error";
}

namespace call_config_detail {

constexpr bool is_task_window(std::uint64_t slots) {
  return slots >= 4 && slots <= (std::uint64_t{1} << 30U) && (slots & (slots - 1)) == 0;
}

constexpr bool is_terminated(const CallConfig& config) {
  for (const char c : config.output_prefix)
    if (c == '\0') return true;
  return false;
}

}  // namespace call_config_detail

// The first thing that is wrong.
constexpr CallConfigError validate(const CallConfig& config) {
  using namespace call_config_detail;
  if (unknown_dfx_bits(config.dfx_flags) != 0) return CallConfigError::kUnknownFlags;
  if (!is_terminated(config)) return CallConfigError::kPrefixNotTerminated;
  if (config.dfx_flags != 0 && config.output_prefix[0] == '\0') return CallConfigError::kNoOutputPrefix;
  if (config.threads < 0 || config.threads > 64) return CallConfigError::kThreads;
  for (unsigned ring = 0; ring < kCallConfigRings; ++ring) {
    const std::uint64_t window = config.ring_task_window[ring];
    const std::uint64_t heap = config.ring_heap[ring];
    const std::uint64_t pool = config.ring_dep_pool[ring];
    if (window != 0 && !is_task_window(window)) return CallConfigError::kTaskWindow;
    if (heap != 0 && heap < 1024) return CallConfigError::kHeap;
    if (pool != 0 && (pool < 4 || pool > 0x7FFFFFFF)) return CallConfigError::kDepPool;
  }
  return CallConfigError::kNone;
}

// False, and nothing changed, when the text is too long.
constexpr bool set_output_prefix(CallConfig& config, const char* prefix) {
  unsigned length = 0;
  while (prefix[length] != '\0')
    if (++length == kCallConfigPrefixBytes) return false;
  for (unsigned i = 0; i < kCallConfigPrefixBytes; ++i)
    config.output_prefix[i] = i < length ? prefix[i] : '\0';
  return true;
}

}  // namespace accelscope
