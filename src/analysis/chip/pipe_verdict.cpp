#include "analysis/chip/pipe_verdict.h"

#include <fmt/core.h>

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

bool is_transfer(std::size_t pipe) {
  return std::find(kTransfer.begin(), kTransfer.end(), pipe) != kTransfer.end();
}

// No call is shorter than its busiest pipe is busy. So what costs time is what another pipe does while that
// one is idle; what two others do beside each other or not is hidden behind it.
std::optional<PipeVerdict> overlap(const PipeUse& use) {
  const std::size_t busiest = use.busiest();
  std::optional<PipeVerdict> worst;
  for (std::size_t pipe = kSu + 1; pipe < kPipes; ++pipe) {
    if (pipe == busiest || (!is_transfer(pipe) && !is_transfer(busiest))) continue;
    const Ticks together = use.both(pipe, busiest);
    if (use.share(use.busy(pipe)) < kMatters ||
        static_cast<double>(together.value) >= kLittleOverlap * static_cast<double>(use.busy(pipe).value))
      continue;
    const double cost = use.share(use.busy(pipe) - together);
    if (worst && worst->cost >= cost) continue;
    const std::size_t transfer = is_transfer(busiest) ? busiest : pipe;
    const std::size_t other = is_transfer(busiest) ? pipe : busiest;
    worst = {.kind = PipeVerdict::Kind::kOverlap,
             .pipe = transfer,
             .other = other,
             .cost = cost,
             .text = fmt::format("{} is busy {:.1f} % and overlaps {} only {:.1f} %: double-buffer {}.",
                                 name(transfer), 100 * use.busy_share(transfer), name(other),
                                 100 * use.overlap(transfer, other), kWords[transfer].overlap)};
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
                             "({:.1f} %) nor transfers that wait for others.",
                             name(busiest), 100 * use.busy_share(busiest), 100 * use.share(use.bubbles()))});
  return verdicts;
}

}  // namespace accelscope::analysis::chip
