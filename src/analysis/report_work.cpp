#include "analysis/report_work.h"

#include <fmt/core.h>

#include <algorithm>

namespace accelscope::analysis {

using findings::Column;
using findings::ColumnKind;
using findings::Findings;
using findings::Section;

namespace {

void check_trust(const ReportInput& input, ReportWork& work) {
  for (const Experiment& experiment : input.experiments) {
    work.quality.append(experiment.quality);
    check_experiment(experiment, work.quality, work.checks);
  }
  for (const KernelLog& log : input.kernel_logs) work.quality.append(log.trace->quality());
  for (std::size_t i = 0; i < input.pairs.size(); ++i)
    check_pair(input.experiments[input.pairs[i].baseline], input.experiments[input.pairs[i].candidate],
               work.comparisons[i], work.quality);
}

}  // namespace

ReportWork do_work(const ReportInput& input) {
  ReportWork work;
  for (const Experiment& experiment : input.experiments) {
    std::vector<MethodWork>& methods = work.experiments.emplace_back();
    for (std::size_t i = 0; i < experiment.profile.methods.size(); ++i) {
      MethodWork method;
      method.latency = latency_of(experiment.profile, i);
      method.breakdown = breakdown_of(experiment.profile.methods[i], method.latency.positions);
      method.delegation = delegation_of(experiment.profile.methods[i], method.breakdown);
      methods.push_back(std::move(method));
    }
  }
  work.comparisons = compare_pairs(input);
  check_trust(input, work);
  return work;
}

std::string title_of(const Comparison& comparison, const MethodComparison& method, std::size_t methods) {
  return fmt::format("{} against {}{}{}", comparison.candidate, comparison.baseline, methods > 1 ? ": " : "",
                     methods > 1 ? method.method : "");
}

std::vector<Subject> subjects_of(const ReportInput& input, const ReportWork& work) {
  std::vector<Subject> subjects;
  for (std::size_t i = 0; i < work.comparisons.size(); ++i) {
    const Comparison& comparison = work.comparisons[i];
    for (const MethodComparison& method : comparison.methods)
      subjects.push_back({input.pairs[i].candidate, method.candidate_method, &method,
                          title_of(comparison, method, comparison.methods.size())});
  }
  if (!subjects.empty()) return subjects;
  for (std::size_t i = 0; i < input.experiments.size(); ++i) {
    const Profile& profile = input.experiments[i].profile;
    for (std::size_t method = 0; method < profile.methods.size(); ++method)
      subjects.push_back({i, method, nullptr,
                          profile.methods.size() == 1
                              ? profile.name
                              : fmt::format("{}: {}", profile.name, profile.methods[method].method)});
  }
  return subjects;
}

Section& place_for(Findings& findings, std::string_view section_id, std::size_t subject, std::size_t subjects,
                   const std::string& title) {
  const auto found = std::find_if(findings.sections.begin(), findings.sections.end(),
                                  [&](const Section& section) { return section.id == section_id; });
  if (found != findings.sections.end()) {
    if (subjects <= 1) return *found;
    found->empty_hint.clear();  // its parts are not empty
  }
  return findings::add_part(findings, fmt::format("{}.{}", section_id, subject), title);
}

Column text_column(std::string id, std::string title) {
  return {.id = std::move(id), .title = std::move(title), .kind = ColumnKind::kText};
}
Column number_column(std::string id, std::string title, std::string unit, int decimals) {
  return {.id = std::move(id),
          .title = std::move(title),
          .kind = ColumnKind::kNumber,
          .unit = std::move(unit),
          .decimals = decimals};
}
Column percent_column(std::string id, std::string title) {
  return {.id = std::move(id), .title = std::move(title), .kind = ColumnKind::kPercent, .decimals = 1};
}
Column ratio_column(std::string id, std::string title) {
  return {.id = std::move(id), .title = std::move(title), .kind = ColumnKind::kRatio, .decimals = 2};
}
Column count_column(std::string id, std::string title) {
  return {.id = std::move(id), .title = std::move(title), .kind = ColumnKind::kInteger};
}

}  // namespace accelscope::analysis
