#include "analysis/chip/pipe_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace accelscope::analysis::chip {
namespace {

struct PipeWords {
  std::string_view bound;    // "bound by ..."
  std::string_view remedy;   // what helps a kernel that is
  std::string_view overlap;  // what to double-buffer
};

constexpr std::array<PipeWords, kPipes> kWords{{
    {"the scalar unit", "", ""},
    {"the vector unit", "nothing to gain from overlap, only from fewer or wider vector instructions", ""},
    {"the cube", "nothing to gain from overlap", ""},
    {"the loads of the cube's buffers", "reuse what is there, or take larger tiles", "the cube's buffers"},
    {"the loads", "load less, or reuse what is there", "the loads"},
    {"the stores", "store less, or fuse what reads it", "the stores"},
    {"the cube's way out", "accumulate longer before results leave the cube", "the results"},
}};
constexpr std::array kTransfer{kMte1, kMte2, kMte3, kFixp};

std::string_view name(std::size_t pipe) {
  return trace::kPipeNames[pipe];
}

PipeVerdict bound_by(const PipeUse& use, std::size_t pipe) {
  return {.kind = PipeVerdict::Kind::kBound,
          .pipe = pipe,
          .text = fmt::format("{} is busy {:.1f} %: the kernel is bound by {}; {}.", name(pipe),
                              100 * use.busy_share(pipe), kWords[pipe].bound, kWords[pipe].remedy)};
}

// The transfer that would hide most behind the computation, or it behind the transfer.
std::optional<PipeVerdict> overlap(const PipeUse& use) {
  const std::size_t compute = use.busy(kVec) > use.busy(kCube) ? kVec : kCube;
  std::optional<PipeVerdict> worst;
  for (const std::size_t transfer : kTransfer) {
    const Ticks shorter = std::min(use.busy(transfer), use.busy(compute));
    const Ticks together = use.both(transfer, compute);
    if (use.share(shorter) < kMatters ||
        static_cast<double>(together.value) >= kLittleOverlap * static_cast<double>(shorter.value))
      continue;
    const double cost = use.share(shorter - together);
    if (worst && worst->cost >= cost) continue;
    worst = {.kind = PipeVerdict::Kind::kOverlap,
             .pipe = transfer,
             .other = compute,
             .cost = cost,
             .text = fmt::format("{} is busy {:.1f} % and overlaps {} only {:.1f} %: double-buffer {}.",
                                 name(transfer), 100 * use.busy_share(transfer), name(compute),
                                 100 * use.overlap(transfer, compute), kWords[transfer].overlap)};
  }
  return worst;
}

PipeVerdict bubbles(const PipeUse& use, std::string_view bubble_text) {
  const Ticks all = use.bubbles();
  const double scalar =
      all.value > 0 ? static_cast<double>(use.in_mask[1U << kSu].value) / static_cast<double>(all.value) : 0;
  const std::string_view why =
      scalar >= 0.5
          ? "scalar overhead: move address arithmetic out of loops, or give each instruction more work"
          : "synchronisation: the scalar unit waits, too, for flags, barriers or memory";
  return {
      .kind = PipeVerdict::Kind::kBubbles,
      .pipe = kSu,
      .cost = use.share(all),
      .text = fmt::format("No pipe is busy {:.1f} % of the time, in bubbles ({}); SU is busy in {:.1f} % of "
                          "them: {}.",
                          100 * use.share(all), bubble_text, 100 * scalar, why)};
}

}  // namespace

std::vector<PipeVerdict> verdicts_on(const PipeUse& use, std::string_view bubble_text) {
  const std::size_t busiest = use.busiest();
  if (use.busy(busiest) == Ticks{0})
    return {{.kind = PipeVerdict::Kind::kIdle,
             .pipe = kSu,
             .cost = use.share(use.bubbles()),
             .text = fmt::format("No pipe but SU was ever busy, and SU {:.1f} % of the time.",
                                 100 * use.busy_share(kSu))}};
  if (use.busy_share(busiest) >= kBoundBy) return {bound_by(use, busiest)};
  std::vector<PipeVerdict> verdicts;
  if (std::optional<PipeVerdict> found = overlap(use)) verdicts.push_back(*std::move(found));
  if (use.share(use.bubbles()) >= kManyBubbles) verdicts.push_back(bubbles(use, bubble_text));
  std::stable_sort(verdicts.begin(), verdicts.end(),
                   [](const PipeVerdict& a, const PipeVerdict& b) { return a.cost > b.cost; });
  if (verdicts.empty())
    verdicts.push_back(
        {.pipe = busiest,
         .cost = 1 - use.busy_share(busiest),
         .text = fmt::format("{} is the busiest pipe, with {:.1f} %, and nothing stands out: neither bubbles "
                             "({:.1f} %) nor transfers that wait for the computation.",
                             name(busiest), 100 * use.busy_share(busiest), 100 * use.share(use.bubbles()))});
  return verdicts;
}

}  // namespace accelscope::analysis::chip
