#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "analysis/chip/explanation.h"
#include "analysis/recommend.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using findings::Evidence;
using findings::Findings;
using findings::Gain;
using findings::Priority;
using findings::Section;
using findings::Statement;
using findings::StatementKind;

// Shares of the window, in percent, from which on a matter is worth a word.
constexpr double kWorthAWord = 10;
constexpr double kUneven = 1.3;       // busiest core over the mean of its engine
constexpr double kSmallTask = 5;      // kernel time over idle head, below which a task is mostly overhead
constexpr double kLowHitRate = 0.25;  // of ready-queue pops
constexpr std::size_t kGapsShown = 3;

class Adviser {
 public:
  Adviser(const Explanation& run, Section& section) : run_(run), section_(section) {}

  void advise() {
    if (percent(Limit::kSubmission) >= kWorthAWord) advise_submission();
    if (percent(Limit::kScheduling) >= kWorthAWord) advise_scheduling();
    if (percent(Limit::kDependencies) >= kWorthAWord) advise_dependencies();
    if (percent(Limit::kCompute) >= kWorthAWord) advise_compute();
    advise_small_tasks();
    advise_balance();
    advise_gaps();
    advise_recording();
    std::stable_sort(section_.statements.begin(), section_.statements.end(),
                     [](const Statement& a, const Statement& b) { return a.priority < b.priority; });
  }

 private:
  double percent(Limit limit) const { return 100 * run_.bottleneck.share(limit); }
  Priority priority_of(Limit limit) const {
    return run_.bottleneck.verdict == limit ? Priority::kHighest
           : percent(limit) >= 25           ? Priority::kHigh
                                            : Priority::kInvestigate;
  }

  const WhatIfAnswer* answer(Question question) const {
    const auto found = std::find_if(run_.what_if.answers.begin(), run_.what_if.answers.end(),
                                    [&](const WhatIfAnswer& item) { return item.question == question; });
    return found == run_.what_if.answers.end() ? nullptr : &*found;
  }
  // Nothing where the simulation cannot tell: a gain within its error is none to promise.
  std::optional<Gain> gain(const WhatIfAnswer* item, std::string_view condition) const {
    const WhatIf& simulation = run_.what_if;
    if (item == nullptr || item->estimate >= simulation.observed || !simulation.is_beyond_error(*item))
      return std::nullopt;
    return Gain{.before = run_.in_unit(simulation.observed),
                .after = run_.in_unit(item->estimate),
                .unit = std::string(run_.unit()),
                .basis = fmt::format("{}; simulated, {:.1f} % off for the run as it was", condition,
                                     100 * std::abs(simulation.calibration()))};
  }

  Statement& add(std::string id, Priority priority, std::string_view group, std::string subject,
                 std::string text) {
    section_.statements.push_back({.id = std::move(id),
                                   .kind = StatementKind::kAdvice,
                                   .priority = priority,
                                   .subject = std::move(subject),
                                   .text = std::move(text),
                                   .group = std::string(group)});
    return section_.statements.back();
  }

  // The steps of the observed path that stalled longest for a reason, as evidence.
  void add_stalls(Statement& statement, Ticks Stall::*kind) const {
    std::vector<const PathStep*> steps;
    for (const PathStep& step : run_.path.steps)
      if ((step.stall.*kind).value > 0) steps.push_back(&step);
    std::stable_sort(steps.begin(), steps.end(),
                     [&](const PathStep* a, const PathStep* b) { return a->stall.*kind > b->stall.*kind; });
    for (std::size_t i = 0; i < std::min(steps.size(), kGapsShown); ++i) {
      const std::string text = fmt::format("{} waited {:.2f} {} on the path", run_.label_of(steps[i]->task),
                                           run_.in_unit(steps[i]->stall.*kind), run_.unit());
      statement.evidence.push_back(steps[i]->slice == trace::SliceId::kNone
                                       ? Evidence{.text = text}
                                       : run_.evidence(text, steps[i]->slice));
    }
  }

  void advise_submission() {
    Statement& statement =
        add("chip.advice.submission", priority_of(Limit::kSubmission), kOptimiseNext, "orchestrator",
            fmt::format(
                "The cores wait for the orchestrator in {:.1f} % of the window: work had not been submitted. "
                "Submit "
                "fewer and larger tasks (SPMD blocks, whole graphs), or build the graph ahead of the run.",
                percent(Limit::kSubmission)));
    statement.gain = gain(answer(Question::kNoSubmissionCost), "if submitting cost nothing");
    add_stalls(statement, &Stall::submission);
  }

  void advise_scheduling() {
    Statement& statement =
        add("chip.advice.scheduling", priority_of(Limit::kScheduling), kOptimiseNext, "scheduler",
            fmt::format(
                "In {:.1f} % of the window work was ready, or done, and the scheduler had not acted on it.{}",
                percent(Limit::kScheduling), largest_wait()));
    statement.gain = gain(answer(Question::kNoSchedulerCost), "if scheduling cost nothing");
    add_stalls(statement, &Stall::scheduling);
    advise_pops();
  }

  // Which of the scheduler's stages costs most, in words.
  std::string largest_wait() const {
    struct Candidate {
      Stage stage;
      std::string_view advice;
    };
    constexpr Candidate kCandidates[] = {
        {Stage::kReadyToDispatch,
         "ready tasks wait in the queue; more scheduler threads, or larger tasks, would help"},
        {Stage::kDispatchToReceive,
         "dispatched tasks wait to be seen by their core; cores are handed work while busy, or "
         "the path to the core is slow"},
        {Stage::kReceiveToStart, "cores take long to set up a task; fewer and larger tasks would help"},
        {Stage::kEndToFinish, "ended tasks wait to be noticed; the scheduler's loop is long"}};
    const Candidate* largest = nullptr;
    for (const Candidate& candidate : kCandidates)
      if (largest == nullptr ||
          run_.waits.overall[candidate.stage].total > run_.waits.overall[largest->stage].total)
        largest = &candidate;
    const TickStats& stage = run_.waits.overall[largest->stage];
    if (stage.n == 0) return "";
    return fmt::format(
        " Of its stages, {} takes tasks the longest (median {:.2f} {unit}, p99 {:.2f} {unit}): {}.",
        to_string(largest->stage), run_.in_unit(stage.p50), run_.in_unit(stage.p99), largest->advice,
        fmt::arg("unit", run_.unit()));
  }

  void advise_pops() {
    std::uint64_t hits = 0;
    std::uint64_t all = 0;
    for (const ThreadBudget& thread : run_.scheduler.threads) {
      hits += thread.pop_hits.value_or(0);
      all += thread.pop_hits.value_or(0) + thread.pop_misses.value_or(0);
    }
    if (all == 0) return;
    const double rate = static_cast<double>(hits) / static_cast<double>(all);
    if (rate >= kLowHitRate) return;
    add("chip.advice.pops", Priority::kNote, kConfigurationChanges, "ready queues",
        fmt::format("Only {:.1f} % of {} looks into the ready queues found a task: the scheduler threads "
                    "mostly look at empty "
                    "queues.",
                    100 * rate, all));
  }

  void advise_dependencies() {
    Statement& statement =
        add("chip.advice.dependencies", priority_of(Limit::kDependencies), kModelChanges, "dependencies",
            fmt::format("In {:.1f} % of the window cores were idle and nothing was ready: the dependencies "
                        "are the limit, more cores would not help. Shorten the chain of tasks{}, or run "
                        "independent work beside it.",
                        percent(Limit::kDependencies), longest_on_path()));
    statement.gain = gain_of_faster(fastest_function());
    if (run_.static_path.has_dependencies)
      statement.evidence.push_back({.text = fmt::format("the longest chain takes {:.2f} {} over {} tasks",
                                                        run_.in_unit(run_.static_path.length), run_.unit(),
                                                        run_.static_path.tasks.size())});
  }

  std::string longest_on_path() const {
    if (run_.path.functions.empty() || run_.path.functions.front().compute <= Ticks{}) return "";
    const FunctionOnPath& function = run_.path.functions.front();
    return fmt::format(" (on the observed path {} takes most, {:.1f} % of the window)",
                       run_.text(function.function), run_.share_of_window(function.compute));
  }

  const WhatIfAnswer* fastest_function() const {
    const WhatIfAnswer* best = nullptr;
    for (const WhatIfAnswer& item : run_.what_if.answers)
      if (item.question == Question::kFasterFunction && (best == nullptr || item.estimate < best->estimate))
        best = &item;
    return best;
  }

  std::optional<Gain> gain_of_faster(const WhatIfAnswer* item) const {
    if (item == nullptr) return std::nullopt;
    return gain(item, fmt::format("if {} were {:g}x faster", run_.text(item->function), item->speedup));
  }

  // The function with the most kernel time need not be the one that the run waits for.
  void advise_compute() {
    if (run_.functions.functions.empty()) return;
    const FunctionTime& top = run_.functions.functions.front();
    const WhatIfAnswer* best = fastest_function();
    const std::optional<Gain> gained = gain_of_faster(best);
    const trace::StringId subject = gained ? best->function : top.function;
    Statement& statement = add(
        "chip.advice.compute", priority_of(Limit::kCompute), kOptimiseNext, std::string(run_.text(subject)),
        fmt::format("The cores that were needed were at work in {:.1f} % of the window. {} takes {:.1f} % "
                    "of all kernel time{}.",
                    percent(Limit::kCompute), run_.text(top.function), 100 * top.exec_share,
                    what_to_make_faster(top, gained ? best : nullptr)));
    statement.gain = gained;
  }

  std::string what_to_make_faster(const FunctionTime& top, const WhatIfAnswer* best) const {
    if (best == nullptr) return ": a faster kernel for it is where to begin";
    if (best->function == top.function) return ", and a faster kernel for it shortens the run most";
    return fmt::format(", but a faster kernel for {} shortens the run most", run_.text(best->function));
  }

  void advise_small_tasks() {
    for (const FunctionTime& function : run_.functions.functions) {
      if (function.idle_head.n == 0 || function.exec.n == 0 || function.exec_share < kWorthAWord / 100)
        continue;
      const double idle = function.idle_head.mean();
      if (idle <= 0 || function.exec.mean() >= kSmallTask * idle) continue;
      add("chip.advice.small_tasks", Priority::kInvestigate, kModelChanges,
          std::string(run_.text(function.function)),
          fmt::format("{} runs for {:.2f} {unit} (mean), and before that its core is idle for {:.2f} {unit} "
                      "between dispatch and start: fuse it with its neighbours, or give each task more work.",
                      run_.text(function.function), run_.in_unit(function.exec.mean()), run_.in_unit(idle),
                      fmt::arg("unit", run_.unit())));
    }
  }

  void advise_balance() {
    for (const EngineBalance& engine : run_.balance) {
      if (run_.share_of_window(engine.busy_max) < kWorthAWord) continue;  // an engine that hardly matters
      if (!engine.idle_cores.empty() && engine.idle_cores.size() < engine.cores)
        add("chip.advice.idle_cores", Priority::kInvestigate, kConfigurationChanges,
            std::string(engine.engine),
            fmt::format("{} of {} {} cores ran nothing: split the work into more blocks, to use them all.",
                        engine.idle_cores.size(), engine.cores, engine.engine));
      if (engine.imbalance() < kUneven || engine.cores < 2 || 2 * engine.idle_cores.size() >= engine.cores)
        continue;
      const trace::ChipCore& busiest = run_.chip.cores[engine.busiest];
      Statement& statement =
          add("chip.advice.imbalance", Priority::kInvestigate, kModelChanges, std::string(engine.engine),
              fmt::format("The busiest {} core works {:.2f}x as long as the mean of its kind: even blocks, "
                          "or smaller tasks at the "
                          "end of the run, would spread the load.",
                          engine.engine, engine.imbalance()));
      statement.evidence.push_back(run_.evidence(fmt::format("core {} is the busiest", busiest.number),
                                                 busiest.track, run_.times.window.from,
                                                 run_.times.window.to));
    }
  }

  void advise_gaps() {
    std::vector<const CoreGap*> gaps;
    for (const CoreGap& gap : run_.core_time.longest_gaps)
      if (run_.share_of_window(gap.length()) >= kWorthAWord && gap.before != trace::SliceId::kNone &&
          gap.after != trace::SliceId::kNone)
        gaps.push_back(&gap);
    if (gaps.empty()) return;
    const CoreGap& longest = *gaps.front();
    const std::string core = run_.name_of_core(longest.core);
    Statement& statement =
        add("chip.advice.gaps", Priority::kNote, kOptimiseNext, core,
            fmt::format("{} was idle for {:.1f} % of the window in one piece. The reason, mostly: {}.", core,
                        run_.share_of_window(longest.length()), words_for(longest.cause())));
    for (std::size_t i = 0; i < std::min(gaps.size(), kGapsShown); ++i)
      statement.evidence.push_back(run_.evidence(fmt::format("{:.2f} {}, {}", run_.in_unit(gaps[i]->length()),
                                                             run_.unit(), words_for(gaps[i]->cause())),
                                                 run_.chip.cores[gaps[i]->core].track, gaps[i]->from,
                                                 gaps[i]->to));
  }

  void advise_recording() {
    if (run_.chip.level < 4)
      add("chip.advice.record_level", Priority::kNote, kFurtherMeasurements, "level",
          fmt::format("Record at level 4 (now {}) to tell work that was not submitted from work that waited.",
                      run_.chip.level));
    if (!run_.chip.dependencies_recorded)
      add("chip.advice.record_dependencies", Priority::kNote, kFurtherMeasurements, "dependencies",
          "Record the dependencies as well (deps.json beside the swimlane): the critical path and what-if "
          "need them.");
  }

  const Explanation& run_;
  Section& section_;
};

}  // namespace

void add_advice(Findings& findings, const Explanation& run) {
  Section& section = findings::add_section(findings, "recommendations", "Recommendations");
  section.empty_hint = "Nothing stands out.";
  Adviser(run, section).advise();
}

}  // namespace accelscope::analysis::chip
