#include "analysis/chip/report.h"

#include <fmt/core.h>

#include <future>

#include "analysis/chip/explanation.h"
#include "analysis/chip/samples.h"
#include "base/together.h"

namespace accelscope::analysis::chip {

using findings::Findings;

namespace {

std::string joined(const std::string& first, const std::string& second) {
  return first.empty() || second.empty() ? first + second : fmt::format("{} {}", first, second);
}

}  // namespace

Explanation explain_all(const trace::Trace& trace, const ExplainOptions& options) {
  Explanation run{.trace = trace, .options = options};
  run.chip = trace::chip_run(trace);
  // Every job has members of its own, and only reads the trace and what the first one finds. That one is
  // taken before the others, so nobody waits for a job that nobody does.
  std::packaged_task<void()> find_times([&] { run.times = task_times(trace, run.chip); });
  const std::shared_future<void> found_times = find_times.get_future().share();
  const auto with_times = [&](auto job) {
    return [&found_times, job] {
      found_times.get();
      job();
    };
  };
  base::do_together({
      [&] { find_times(); },
      [&] { run.functions = function_times(trace, run.chip); },
      [&] { run.pipes = pipe_times(trace, run.chip); },
      [&] { run.static_path = static_path(trace, run.chip); },
      with_times([&] {
        run.path = observed_path(trace, run.chip, run.times);
        run.bottleneck = bottleneck(trace, run.chip, run.times, run.path);
      }),
      with_times([&] { run.what_if = what_if(trace, run.chip, run.times, options.what_if); }),
      with_times([&] {
        run.core_time = core_time(trace, run.chip, run.times);
        run.balance = imbalance(run.chip, run.core_time);
      }),
      with_times([&] { run.invariants = check_invariants(trace, run.chip, run.times); }),
      with_times([&] { run.waits = wait_times(trace, run.chip, run.times); }),
      with_times([&] { run.samples = samples_of(trace, run.chip, run.times, options.title); }),
      with_times([&] { run.scheduler = loop_budget(trace, run.chip, run.times); }),
      with_times([&] { run.observer = observer_cost(trace, run.chip, run.times); }),
  });
  run.samples.pipes = pipe_figures(trace, run.pipes);
  return run;
}

std::string_view Explanation::unit() const {
  return trace.clock(chip.clock).frequency.known() ? "us" : "ticks";
}

double Explanation::in_unit(double ticks) const {
  const base::Frequency frequency = trace.clock(chip.clock).frequency;
  if (!frequency.known()) return ticks;
  return ticks * 1e6 * static_cast<double>(frequency.seconds) / static_cast<double>(frequency.ticks);
}

double Explanation::share_of_window(Ticks time) const {
  const Ticks window = times.window.length();
  return window.value > 0 ? 100 * static_cast<double>(time.value) / static_cast<double>(window.value) : 0;
}

std::string Explanation::name_of_task(trace::TaskId task) const {
  return std::string(task == trace::TaskId::kNone ? "a task" : text(trace.tasks().name[index(task)]));
}

std::string Explanation::number_of_task(trace::TaskId task) const {
  return task == trace::TaskId::kNone ? std::string()
                                      : trace::task_label(trace.tasks().external_id[index(task)]);
}

std::string Explanation::label_of(trace::TaskId task) const {
  return joined(name_of_task(task), number_of_task(task));
}

std::string Explanation::number_first(trace::TaskId task) const {
  return joined(number_of_task(task), name_of_task(task));
}

std::string Explanation::name_of_core(std::size_t core) const {
  return std::string(text(trace.track(chip.cores[core].track).name));
}

findings::Evidence Explanation::evidence(std::string what, trace::TrackId track, Ticks from, Ticks to) const {
  const base::Frequency frequency = trace.clock(chip.clock).frequency;
  findings::Evidence result{.text = std::move(what), .input = options.input};
  result.track = std::string(text(trace.track(track).name));
  result.from = frequency.to_nanoseconds(from).value;
  result.to = frequency.to_nanoseconds(to).value;
  return result;
}

findings::Evidence Explanation::evidence(std::string what, trace::SliceId slice) const {
  findings::Evidence result{.text = std::move(what), .input = options.input};
  result.slice = index(slice);
  return result;
}

std::string_view word_for(Limit limit) {
  switch (limit) {
    case Limit::kSubmission:
      return "submission";
    case Limit::kScheduling:
      return "scheduling";
    case Limit::kDependencies:
      return "dependencies";
    case Limit::kCompute:
      return "compute";
    case Limit::kUnknown:
      break;
  }
  return "unknown";
}

std::string_view words_for(CoreClass core_class) {
  switch (core_class) {
    case CoreClass::kBusy:
      return "busy";
    case CoreClass::kSwitch:
      return "dispatched but not started";
    case CoreClass::kReady:
      return "ready work not dispatched";
    case CoreClass::kDependency:
      return "waiting for a dependency";
    case CoreClass::kNotSubmitted:
      return "nothing submitted yet";
    case CoreClass::kNoWorkLeft:
      return "no work left";
    case CoreClass::kFrozen:
      return "frozen by the recorder";
    case CoreClass::kUnknown:
      break;
  }
  return "not recorded";
}

Findings explain(const trace::Trace& trace, const ExplainOptions& options) {
  const Explanation run = explain_all(trace, options);
  Findings findings{.kind = "chip report", .title = options.title};
  findings.quality.append(trace.quality());
  findings.quality.append(doubts(run));
  add_run(findings, run);
  add_bottleneck(findings, run);
  add_core_time(findings, run);
  add_functions(findings, run);
  add_waits(findings, run);
  add_scheduler(findings, run);
  add_critical_path(findings, run);
  add_what_if(findings, run);
  add_balance(findings, run);
  add_pipes(findings, run);
  add_counters(findings, run);
  add_rings(findings, run);
  add_advice(findings, run);
  if (!options.notes.empty())
    findings::add_part(findings, "recommendations.notes", "Notes").notes = options.notes;
  add_core_time_over_time(findings, run);
  add_samples(findings, run.samples);
  return findings;
}

}  // namespace accelscope::analysis::chip
