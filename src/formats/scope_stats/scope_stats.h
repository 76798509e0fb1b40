// scope_stats.jsonl: how full the rings of the runtime were at the beginning and end of every scope.
//
// Boundaries have no times, only their order and how far the rings had got. Plain data; one thread reads.
//
//   ACCELSCOPE_TRY(const ScopeStats stats, read_scope_stats(file));
//   for (const ScopeBoundary& boundary : stats.boundaries) use(boundary.site, boundary.heap_end);
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"
#include "trace/quality.h"

namespace accelscope::formats::scope_stats {

inline constexpr std::size_t kRings = 4;

struct ScopeBoundary {
  std::string site = {};  // "file.cpp:77"
  bool begins = true;
  std::uint32_t depth = 0;
  std::uint32_t ring = 0;
  // Positions that only grow: what lies between start and end is in use.
  std::uint64_t task_window_start = 0;
  std::uint64_t task_window_end = 0;
  std::uint64_t heap_start = 0;
  std::uint64_t heap_end = 0;
  std::uint64_t dep_pool_start = 0;
  std::uint64_t dep_pool_end = 0;
  std::uint64_t tensormap = 0;
};

struct ScopeStats {
  int version = 0;
  bool fatal = false;  // the orchestrator died with a full ring
  std::uint64_t dropped = 0;
  std::uint64_t total = 0;
  std::array<std::uint64_t, kRings> task_window_max = {};
  std::array<std::uint64_t, kRings> heap_max = {};
  std::array<std::uint64_t, kRings> dep_pool_max = {};
  std::uint64_t tensormap_max = 0;
  std::vector<ScopeBoundary> boundaries = {};
  trace::QualityTable quality = {};
};

bool looks_like_scope_stats(std::string_view bytes);

base::Result<ScopeStats> read_scope_stats(const base::MappedFile& file);

}  // namespace accelscope::formats::scope_stats
