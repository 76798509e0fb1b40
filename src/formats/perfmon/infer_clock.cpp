#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/human.h"
#include "formats/perfmon/infer_parts.h"

namespace accelscope::formats::perfmon::details {
namespace {

using base::format_count;

// Two stamps with words between them.
struct Pair {
  double ratio = 0;   // ticks between the stamps for each cycle of the deltas
  double cycles = 0;  // what the pair weighs
};

constexpr double kRounding = 0.003;

struct Measured {
  std::size_t pairs = 0;
  double median = 0;
  double spread = 0;  // of the middle half, of the median
  // Deltas never see all of the time between two stamps, so the true ratio is at most this.
  double most = 0;
  double words = 0;  // between two stamps, the median

  // The cycles from the last word to the stamp are in no delta: about one of as many as there are words.
  double unseen() const { return words > 0 ? 1 / words : 0; }
  double low() const { return median / (1 + 2 * unseen()) * (1 - kRounding); }
  double high() const { return median * (1 + kRounding); }
};

constexpr std::size_t kFewestPairs = 3;
// No two clocks of a chip differ by more; what seems to be outside is made of pauses.
constexpr double kLeastRatio = 0.001;
constexpr double kMostRatio = 900;
constexpr double kWideSpread = 0.05;  // and what few words between two stamps make of it

// By weight: long stretches between stamps are measured best.
double weighted_quantile(const std::vector<Pair>& sorted, double share) {
  double all = 0;
  for (const Pair& pair : sorted) all += pair.cycles;
  double seen = 0;
  for (const Pair& pair : sorted) {
    seen += pair.cycles;
    if (seen >= all * share) return pair.ratio;
  }
  return sorted.back().ratio;
}

Measured measure(const std::vector<StampSeen>& stamps) {
  std::vector<Pair> pairs;
  std::vector<std::uint64_t> words;
  Measured measured;
  for (std::size_t i = 0; i + 1 < stamps.size(); ++i) {
    if (stamps[i].broken || stamps[i].cycles == 0 || stamps[i + 1].base < stamps[i].base) continue;
    const auto ticks = static_cast<double>(stamps[i + 1].base - stamps[i].base);
    const auto cycles = static_cast<double>(stamps[i].cycles);
    const double most = (ticks + 1) / cycles;
    measured.most = pairs.empty() ? most : std::min(measured.most, most);
    pairs.push_back({ticks / cycles, cycles});
    words.push_back(stamps[i].words);
  }
  measured.pairs = pairs.size();
  if (pairs.empty()) return measured;
  std::ranges::sort(pairs, {}, &Pair::ratio);
  measured.median = weighted_quantile(pairs, 0.5);
  const double middle_half = weighted_quantile(pairs, 0.75) - weighted_quantile(pairs, 0.25);
  measured.spread = measured.median > 0 ? middle_half / measured.median : 0;
  const auto middle = words.begin() + static_cast<std::ptrdiff_t>(words.size() / 2);
  std::nth_element(words.begin(), middle, words.end());
  measured.words = static_cast<double>(*middle);
  return measured;
}

// The simplest fraction in the range.
ClockRatio simple_ratio(double low, double high) {
  constexpr std::uint32_t kGreatest = 10'000;
  for (std::uint32_t cycles = 1; cycles < kGreatest; ++cycles) {
    const auto ticks = static_cast<std::uint32_t>(std::ceil(low * cycles));
    if (ticks > 0 && ticks <= high * cycles) return {ticks, cycles};
  }
  return {static_cast<std::uint32_t>(std::llround(high * kGreatest)), kGreatest};
}

std::string answer_of(const Measured& measured) {
  const ClockRatio simple = simple_ratio(measured.low(), measured.high());
  constexpr double kUsualCounter = 50;
  return fmt::format(
      "Deltas count another clock than the stamps: {:.4g} to {:.4g} cycles for a tick. With a counter of "
      "{:.0f} MHz "
      "that is a core of {:.0f} to {:.0f} MHz. The simplest ratio is --clock-ratio {}/{}.",
      1 / measured.high(), 1 / measured.low(), kUsualCounter, kUsualCounter / measured.high(),
      kUsualCounter / measured.low(), simple.ticks, simple.cycles);
}

}  // namespace

void ask_clock(const Survey& survey, Inference& found) {
  Question question{.id = "clock", .title = "What do the deltas count?"};
  const Measured measured = measure(survey.stamps);
  const bool enough = measured.pairs >= kFewestPairs;
  const bool steady = enough && measured.spread <= kWideSpread + measured.unseen() &&
                      measured.median > kLeastRatio && measured.median < kMostRatio;
  const bool one = steady && measured.low() <= 1 && measured.high() >= 1;
  const bool faster = enough && measured.most < 1 - kRounding;
  const std::string evidence =
      measured.pairs == 0
          ? fmt::format("{}, and no two with nothing but dated words between them", stamps_text(survey))
          : fmt::format(
                "{}, {} pairs; median of stamp difference / sum of deltas = {:.4g} (spread {:.3f}), "
                "at most {:.4g}",
                stamps_text(survey), format_count(measured.pairs), measured.median, measured.spread,
                measured.most);
  const auto fit = [&](bool fits, bool contradicted) {
    return fits ? Fit::kFits : contradicted ? Fit::kDoesNotFit : Fit::kCannotTell;
  };
  question.hypotheses.push_back(
      {"deltas count the stamps' clock", fit(one, faster || (steady && !one)), evidence});
  question.hypotheses.push_back(
      {"deltas count cycles of another clock", fit(faster || (steady && !one), one), evidence});
  question.answered = steady || faster;
  if (one)
    question.answer = "Deltas count the stamps' clock (--clock-ratio 1/1).";
  else if (steady)
    question.answer = answer_of(measured);
  else if (faster)
    question.answer = fmt::format(
        "Deltas count a faster clock than the stamps, at least {:.4g} cycles for a tick; how much faster "
        "cannot be "
        "told, because the stamps come after pauses of different lengths.",
        1 / measured.most);
  else
    question.answer = enough ? "Cannot tell: too much of the time between two stamps is in no delta."
                             : fmt::format("Cannot tell: needs {} pairs of stamps.", kFewestPairs);
  if (steady) found.ticks_per_cycle = one ? 1 : (measured.low() + measured.high()) / 2;
  found.questions.push_back(std::move(question));
}

}  // namespace accelscope::formats::perfmon::details
