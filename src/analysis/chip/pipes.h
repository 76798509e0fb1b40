// What the pipes did while a core carried tasks out: how long each was busy, how long two were together, and
// how long none was.
//
// Of every part of a task, time is divided by which pipes were busy, exactly: the times of all 128 masks sum
// to its duration. Only intervals that belong to the part count, and of those only what lies inside of it;
// the rest is `outside`. Parts of which something is not known are counted by their reason and take no part
// in any other figure.
//
// A pure function of a read-only trace, whose intervals it sorts core by core: 48 bytes for each interval of
// the core that has most. The answer owns what it holds.
//
//   const PipeTimes times = pipe_times(trace, chip);
//   for (const FunctionPipes& f : times.functions) show(trace.text(f.function), f.use.share(kCube));
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analysis/chip/tick_stats.h"
#include "trace/core_pipes.h"

namespace accelscope::analysis::chip {

using trace::kPipes;

inline constexpr std::size_t kPipeMasks = std::size_t{1} << kPipes;

// Positions in trace::kPipeNames.
enum PipeNumber : std::size_t { kSu, kVec, kCube, kMte1, kMte2, kMte3, kFixp };

struct PipeUse {
  Ticks duration = {};
  std::array<Ticks, kPipeMasks> in_mask = {};  // exactly these pipes were busy, bit i for pipe i
  Ticks outside = {};                          // of their intervals, beyond the begin or the end

  Ticks busy(std::size_t pipe) const { return both(pipe, pipe); }
  Ticks both(std::size_t a, std::size_t b) const;
  // No pipe but the scalar unit was busy.
  Ticks bubbles() const { return in_mask[0] + in_mask[1U << kSu]; }
  // 0 to 1, of the duration.
  double share(Ticks time) const;
  double busy_share(std::size_t pipe) const { return share(busy(pipe)); }
  // Of the time in which `pipe` was busy, that in which `other` was, too: 0 to 1.
  double overlap(std::size_t pipe, std::size_t other) const;
  // The busiest but for the scalar unit.
  std::size_t busiest() const;

  void add(const PipeUse& other);
};

struct FunctionPipes {
  trace::StringId function = trace::StringId::kEmpty;
  std::uint64_t full = 0;     // parts of which all is known: those of the figures
  std::uint64_t partial = 0;  // some is
  std::uint64_t without = 0;  // nothing is
  PipeUse use = {};           // sums over the parts
  TickStats bubbles = {};     // each a stretch in which no pipe but the scalar unit was busy
};

// One part of a task of which all is known.
struct PartPipes {
  trace::SliceId slice = trace::SliceId::kNone;
  Ticks duration = {};
  std::array<Ticks, kPipes> busy = {};
  Ticks bubbles = {};
  Ticks longest_bubble = {};
};

struct MissingCoreData {
  trace::StringId cause = trace::StringId::kEmpty;
  std::uint64_t partial = 0;
  std::uint64_t without = 0;
};

struct PipeTimes {
  bool recorded = false;                      // of any core
  std::vector<FunctionPipes> functions = {};  // most time first, then by name
  std::vector<PartPipes> longest = {};        // the longest parts, at most kMostParts
  std::vector<MissingCoreData> missing = {};  // most first
  std::uint64_t full = 0;
  std::uint64_t partial = 0;
  std::uint64_t without = 0;
  std::uint64_t not_asked = 0;  // parts on cores whose pipes were not to be recorded
};
inline constexpr std::size_t kMostParts = 100;

PipeTimes pipe_times(const trace::Trace& trace, const trace::ChipRun& chip);

}  // namespace accelscope::analysis::chip
