// Two profiles of one model compared: what changed end to end, whether it is real, and which operators and
// categories it came from. Speedup is baseline over candidate everywhere: above 1 the candidate is faster.
//
// The end-to-end verdict and the operators that a report shows get a bootstrap interval; all others a
// Hodges-Lehmann interval, and each says which. p values of operators are corrected after Holm. Savings are
// differences of means over steady executions, because means add up: the savings of the categories, and those
// of the pairs, sum to the total. Pure function; plain data that points to nothing.
//
//   const Comparison comparison = compare(off, on, {.threshold = 0.02});
//   comparison.methods.front().end_to_end.verdict
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/breakdown.h"
#include "analysis/latency.h"
#include "analysis/match.h"
#include "analysis/profile.h"
#include "stats/comparison.h"

namespace accelscope::analysis {

struct CompareOptions {
  stats::CompareOptions statistics = {};
  std::size_t bootstrapped_operators = 12;  // those with the largest change in either direction
};

// One step of the program in both profiles, or in one of them only.
struct PairComparison {
  std::string name = {};           // as the candidate calls it
  std::string baseline_name = {};  // "" when it has none
  Category category = Category::kOther;
  Part part = Part::kOther;
  bool in_baseline = false;
  bool in_candidate = false;
  double baseline = 0;  // mean per steady execution, packing for it included
  double candidate = 0;
  double packing = 0;       // what of the candidate's time is packing, beyond the baseline's
  double saving = 0;        // baseline - candidate
  double saving_share = 0;  // percent of the total saving; 0 when there is none
  std::optional<stats::Comparison> test = std::nullopt;  // of pairs; its verdict is after Holm
  // Baseline over candidate: of the medians where both are known, else of the means; nothing when one took no
  // time.
  std::optional<double> speedup = std::nullopt;
  bool below_resolution = false;  // a few ticks of a coarse clock: its ratio means little
  std::uint32_t pair = 0;         // position in MethodComparison::match.pairs
};

struct CategoryComparison {
  Category category = Category::kOther;
  double baseline = 0;
  double candidate = 0;
  double baseline_percent = 0;  // of the baseline's end-to-end time
  double candidate_percent = 0;
  double saving = 0;
  double saving_share = 0;
};

struct MethodComparison {
  std::string method = {};
  std::size_t baseline_method = 0;  // positions in the profiles
  std::size_t candidate_method = 0;
  std::string unit = {};
  MethodLatency baseline_latency = {};
  MethodLatency candidate_latency = {};
  Breakdown baseline_breakdown = {};
  Breakdown candidate_breakdown = {};
  stats::Comparison end_to_end = {};
  double saving = 0;                                // of the means, which the parts below sum to
  std::vector<CategoryComparison> categories = {};  // largest change first
  std::vector<PairComparison> operators = {};       // every pair, largest change first
  MethodMatch match = {};
};

struct Comparison {
  std::string baseline = {};  // names of the profiles
  std::string candidate = {};
  // Why there is no verdict, when the timing of a profile may not be used or the units differ.
  std::string refusal = {};
  std::vector<MethodComparison> methods = {};
  std::vector<std::string> baseline_only = {};  // methods without a partner
  std::vector<std::string> candidate_only = {};
};

// The end-to-end verdict in words.
std::string verdict_sentence(const Comparison& comparison, const MethodComparison& method);

Comparison compare(const Profile& baseline, const Profile& candidate, const CompareOptions& options = {});

}  // namespace accelscope::analysis
