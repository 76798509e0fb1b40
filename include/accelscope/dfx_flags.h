// Which diagnostics a run records: one 64-bit word, one bit per feature, shared by host, control CPUs and
// cores.
//
// Freestanding: nothing of the standard library but <cstdint>, so that firmware can include it. The word
// travels as it is; everything here is a constant or a pure function.
//
// At the border (a command line, a configuration) unknown bits are an error: unknown_dfx_bits(). Behind it
// features that others imply are added once, with_implied_dfx(), and devices test single bits:
//
//   const std::uint64_t flags = with_implied_dfx(kDfxTaskLifecycle | kDfxPmu);
//   if (flags & kDfxCoreTiming) record();
//
// A new feature is one more constant and one more row of kDfxFeatures; no signature changes.
#pragma once

#include <cstdint>

namespace accelscope {

inline constexpr std::uint64_t kDfxCoreTiming = std::uint64_t{1} << 0U;     // a core's task start and end
inline constexpr std::uint64_t kDfxTaskLifecycle = std::uint64_t{1} << 1U;  // dispatch, finish, fan-out edges
inline constexpr std::uint64_t kDfxPhaseBuffers = std::uint64_t{1} << 2U;   // scheduler, orchestrator phases
inline constexpr std::uint64_t kDfxDumpTensor = std::uint64_t{1} << 3U;
inline constexpr std::uint64_t kDfxDependencyCapture = std::uint64_t{1} << 4U;
inline constexpr std::uint64_t kDfxPmu = std::uint64_t{1} << 5U;
inline constexpr std::uint64_t kDfxScopeStats = std::uint64_t{1} << 6U;
inline constexpr std::uint64_t kDfxCoreSwimlane = std::uint64_t{1} << 7U;

struct DfxFeature {
  std::uint64_t bit;
  std::uint64_t implies;  // directly; what those imply in turn follows
  const char* name;       // as users and configurations write it
};

inline constexpr DfxFeature kDfxFeatures[] = {
    {kDfxCoreTiming, 0, "chip_swimlane_aicore_timing"},
    {kDfxTaskLifecycle, kDfxCoreTiming, "chip_swimlane_task_lifecycle"},
    {kDfxPhaseBuffers, kDfxTaskLifecycle, "chip_swimlane_phase_buffers"},
    {kDfxDumpTensor, 0, "dump_tensor_enable"},
    {kDfxDependencyCapture, 0, "dependency_capture"},
    {kDfxPmu, 0, "pmu"},
    {kDfxScopeStats, 0, "scope_stats"},
    {kDfxCoreSwimlane, kDfxCoreTiming, "core_swimlane"},
};

// Every function takes the table of features, so that a runtime with features of its own uses the same ones.
template <unsigned long N>
constexpr std::uint64_t known_dfx_bits(const DfxFeature (&features)[N]) {
  std::uint64_t known = 0;
  for (const DfxFeature& feature : features) known |= feature.bit;
  return known;
}
constexpr std::uint64_t known_dfx_bits() {
  return known_dfx_bits(kDfxFeatures);
}

// The flags with everything that they imply.
template <unsigned long N>
constexpr std::uint64_t with_implied_dfx(std::uint64_t flags, const DfxFeature (&features)[N]) {
  for (std::uint64_t before = ~flags; before != flags;) {
    before = flags;
    for (const DfxFeature& feature : features)
      if ((flags & feature.bit) != 0) flags |= feature.implies;
  }
  return flags;
}
constexpr std::uint64_t with_implied_dfx(std::uint64_t flags) {
  return with_implied_dfx(flags, kDfxFeatures);
}

// An error at the border; devices ignore them.
constexpr std::uint64_t unknown_dfx_bits(std::uint64_t flags) {
  return flags & ~known_dfx_bits();
}

// The number by which users ask for a chip swimlane: 0 nothing, 1 core timing, 2 and the life of tasks, 3 and
// phases. dist_swimlane_level, for what is above one chip, is a name that nothing else may take.
inline constexpr int kMaxChipSwimlaneLevel = 3;

constexpr bool is_chip_swimlane_level(int level) {
  return level >= 0 && level <= kMaxChipSwimlaneLevel;
}

// The bits of a level, implied ones included; no bits for a number that is no level.
constexpr std::uint64_t dfx_flags_of_level(int chip_swimlane_level) {
  constexpr std::uint64_t kBits[] = {0, kDfxCoreTiming, kDfxTaskLifecycle, kDfxPhaseBuffers};
  return is_chip_swimlane_level(chip_swimlane_level) ? with_implied_dfx(kBits[chip_swimlane_level]) : 0;
}

constexpr int chip_swimlane_level_of(std::uint64_t flags) {
  int level = 0;
  for (int next = 1; next <= kMaxChipSwimlaneLevel; ++next)
    if ((with_implied_dfx(flags) & dfx_flags_of_level(next)) == dfx_flags_of_level(next)) level = next;
  return level;
}

}  // namespace accelscope
