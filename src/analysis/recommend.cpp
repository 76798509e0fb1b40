#include "analysis/recommend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trace/vocabulary.h"

namespace accelscope::analysis {
namespace {

using findings::Gain;
using findings::Priority;
using findings::Statement;
using findings::StatementKind;

constexpr double kConversionPercent = 5;
constexpr double kNoisyCv = 0.05;
constexpr std::size_t kEnoughRuns = 20;
constexpr std::size_t kOperatorsNamed = 3;

class Adviser {
 public:
  explicit Adviser(const AdviceInput& input)
      : input_(input),
        profile_(input.experiment->profile),
        method_(profile_.methods[input.method]),
        unit_(unit_of(method_)) {}

  std::vector<Statement> advise() && {
    for (const Bottleneck& row : *input_.bottlenecks) {
      if (row.kind == BottleneckKind::kOutsideDelegate) outside_delegate(row);
      if (row.kind == BottleneckKind::kDataMovement) data_movement(row);
      if (row.kind == BottleneckKind::kLowSpeedup) low_speedup(row);
      if (row.kind == BottleneckKind::kOverhead) overhead(row);
    }
    conversions();
    largest_compute();
    measurements();
    std::stable_sort(advice_.begin(), advice_.end(), [](const Statement& a, const Statement& b) {
      return a.priority != b.priority ? a.priority < b.priority : saving_of(a) > saving_of(b);
    });
    return std::move(advice_);
  }

 private:
  static double saving_of(const Statement& statement) {
    return statement.gain ? statement.gain->before - statement.gain->after : 0;
  }

  Gain bound(double without) const {
    return {.before = input_.breakdown->mean,
            .after = without,
            .unit = unit_,
            .basis = "if it took no time at all (Amdahl's bound)"};
  }

  Statement& add(std::string id, Priority priority, std::string_view group, std::string subject,
                 std::string text) {
    advice_.push_back({.id = std::move(id),
                       .kind = StatementKind::kAdvice,
                       .priority = priority,
                       .subject = std::move(subject),
                       .text = std::move(text),
                       .group = std::string(group)});
    return advice_.back();
  }

  // The row may be a type, a category or a part, of which the entry is the largest piece.
  void add_evidence(Statement& statement, std::uint32_t entry, const Bottleneck& row) const {
    const std::string& name = method_.entries[entry].name;
    statement.evidence.push_back(
        evidence_of(profile_, method_.entries[entry],
                    fmt::format("{}: {:.4g} {} of {:.4g}, {:.1f} %{}", row.subject, row.mean, unit_,
                                input_.breakdown->mean, row.percent,
                                row.subject == name ? "" : fmt::format("; its largest piece is {}", name))));
  }

  void outside_delegate(const Bottleneck& row) {
    const auto found =
        std::find_if(input_.delegation->outside.begin(), input_.delegation->outside.end(),
                     [&](const OutsideOperator& outside) { return outside.name == row.subject; });
    if (found == input_.delegation->outside.end()) return;
    const bool can_delegate =
        found->support.level == SupportLevel::kYes || found->support.level == SupportLevel::kWithConditions;
    Statement& advice = add("advice.outside_delegate", Priority::kHighest,
                            can_delegate ? kOptimiseNext : kModelChanges, row.subject,
                            fmt::format("{} runs outside every delegate and takes {:.1f} % of the time. {}",
                                        row.subject, row.percent, found->support.sentence));
    advice.gain = bound(row.without);
    add_evidence(advice, row.entry, row);
  }

  void data_movement(const Bottleneck& row) {
    std::vector<std::string> names;
    for (const Share& share : input_.breakdown->by_type) {
      if (share.category != Category::kDataMovement || names.size() == kOperatorsNamed) continue;
      names.push_back(fmt::format("{} {:.1f} %", share.name, share.percent));
    }
    Statement& advice =
        add("advice.data_movement", Priority::kHigh, kModelChanges, "Moving data",
            fmt::format(
                "Moving data takes {:.1f} % of the time ({}). Keep one memory layout from input to output "
                "(channels last suits the delegate), export with it, and remove transposes, copies and views "
                "that cancel each other or that only serve a layout.",
                row.percent, fmt::join(names, ", ")));
    advice.gain = bound(row.without);
    add_evidence(advice, row.entry, row);
  }

  void low_speedup(const Bottleneck& row) {
    Statement& advice =
        add("advice.low_speedup", Priority::kInvestigate, kConfigurationChanges, row.subject,
            fmt::format("{} became only {:.2f}x faster; {} is usual for {}. In this order, {}.", row.subject,
                        row.speedup.value_or(0), row.expected, name_of(row.category), kLowSpeedupChecks));
    const double expected = 3;
    const double baseline = row.mean * row.speedup.value_or(1);
    if (baseline / expected < row.mean)
      advice.gain = Gain{.before = input_.breakdown->mean,
                         .after = input_.breakdown->mean - row.mean + baseline / expected,
                         .unit = unit_,
                         .basis = "if it became 3x faster than the baseline"};
    add_evidence(advice, row.entry, row);
  }

  void overhead(const Bottleneck& row) {
    const Part part = method_.entries[row.entry].part;
    const std::string_view what =
        part == Part::kDelegateOverhead ? "Time inside calls of the delegate but in none of its operators: "
                                          "arguments, shape propagation, and what "
                                          "the event tracer itself costs. Fewer and larger partitions have "
                                          "less of it; measure once without the "
                                          "tracer to see its share."
        : part == Part::kOperatorCallOverhead ? "Time around kernels, not in them. Many small operators "
                                                "outside the delegate cause it: delegate or fuse "
                                                "them."
        : part == Part::kFramework
            ? "Time in the runtime between instructions. It matters for small models only: give it more work "
              "per call "
              "(a larger batch, several steps in one method)."
            : "Time in neither operators nor calls. Look at the timeline for what it is.";
    Statement& advice = add("advice.overhead", Priority::kNote, kConfigurationChanges, row.subject,
                            fmt::format("{} takes {:.1f} %. {}", row.subject, row.percent, what));
    advice.gain = bound(row.without);
    add_evidence(advice, row.entry, row);
  }

  void conversions() {
    for (const Share& share : input_.breakdown->by_category) {
      if (share.category != Category::kConvertQuantise || share.percent <= kConversionPercent) continue;
      Statement& advice =
          add("advice.conversions", Priority::kNote, kConfigurationChanges, "Converting",
              fmt::format(
                  "Converting between data types takes {:.1f} %. Export the whole model, inputs and outputs "
                  "included, in the type the kernels compute in.",
                  share.percent));
      advice.gain = bound(input_.breakdown->mean - share.mean);
      advice.evidence.push_back(
          evidence_of(profile_, method_.entries[share.entry], method_.entries[share.entry].name));
    }
  }

  // The largest operator that nothing above speaks of.
  void largest_compute() {
    for (const Bottleneck& row : *input_.bottlenecks) {
      if (row.kind != BottleneckKind::kLargeOperator || !is_compute(row.category)) continue;
      const bool spoken_of = std::any_of(advice_.begin(), advice_.end(), [&](const Statement& advice) {
        return advice.subject == row.subject;
      });
      if (spoken_of) continue;
      Statement& advice = add(
          "advice.largest_operator", Priority::kNote, kOptimiseNext, row.subject,
          fmt::format("{} is a large piece of compute ({:.1f} %). A smaller data type, fewer channels or a "
                      "cheaper form of the layer act on it directly.",
                      row.subject, row.percent));
      advice.gain = bound(row.without);
      add_evidence(advice, row.entry, row);
      return;
    }
  }

  void measurements() {
    const std::size_t runs = input_.latency->steady_values.size();
    if (input_.comparison == nullptr) {
      add("advice.no_baseline", Priority::kNote, kFurtherMeasurements, "feature",
          "Record the same model without the accelerator feature, and compare: `accelscope compare BASE "
          "CAND`.");
    } else if (input_.comparison->end_to_end.verdict == stats::Verdict::kInconclusive) {
      const auto needed = input_.comparison->end_to_end.runs_needed;
      add("advice.more_runs", Priority::kNote, kFurtherMeasurements, "comparison",
          needed
              ? fmt::format(
                    "The comparison is inconclusive. About {} runs on each side would decide it at this "
                    "noise.",
                    *needed)
              : std::string("The comparison is inconclusive. Measure more runs on both sides, interleaved."));
    } else if (runs < kEnoughRuns) {
      add("advice.more_runs", Priority::kNote, kFurtherMeasurements, "runs",
          fmt::format("{} steady runs give a median, but no tail: 20 give the 95th percentile, 100 the 99th.",
                      runs));
    }
    if (input_.latency->steady.coefficient_of_variation.value_or(0) > kNoisyCv)
      add("advice.noise", Priority::kNote, kFurtherMeasurements, "Runs",
          fmt::format("Runs vary by {:.1f} %. Pin the process to one kind of core, fix the clock rate, let "
                      "the device "
                      "cool down, and measure again.",
                      100 * *input_.latency->steady.coefficient_of_variation));
    const bool xnnpack = std::any_of(input_.delegation->backends.begin(), input_.delegation->backends.end(),
                                     [](const BackendUse& use) {
                                       return use.backend.find("nnpack") != std::string::npos ||
                                              use.backend.find("NNPACK") != std::string::npos;
                                     });
    if (!input_.has_kernel_log && xnnpack)
      add("advice.kernel_log", Priority::kNote, kFurtherMeasurements, "microkernels",
          "Which microkernels are registered and run is not recorded. Add an experiment with \"mode\": "
          "\"xnntrace\" and "
          "a runner built with XNN_LOG_LEVEL=5, never for timing.");
    const bool inferred =
        std::any_of(input_.delegation->backends.begin(), input_.delegation->backends.end(),
                    [](const BackendUse& use) { return use.source != trace::backend_source::kEtRecord; });
    if (inferred)
      add("advice.etrecord", Priority::kNote, kFurtherMeasurements, "Backends",
          "Backends are inferred from the names of operators. Export an ETRecord with the model and give it "
          "with "
          "--etrecord: it names backends and the lines of the model.");
  }

  const AdviceInput& input_;
  const Profile& profile_;
  const MethodProfile& method_;
  std::string unit_;
  std::vector<Statement> advice_;
};

}  // namespace

std::vector<Statement> recommend(const AdviceInput& input) {
  return Adviser(input).advise();
}

findings::Evidence evidence_of(const Profile& profile, const Entry& entry, std::string text) {
  findings::Evidence evidence{.text = std::move(text)};
  if (entry.first_recording < profile.sources.size()) evidence.input = profile.sources[entry.first_recording];
  if (entry.first != trace::SliceId::kNone) evidence.slice = index(entry.first);
  return evidence;
}

}  // namespace accelscope::analysis
