// What the sections of a report share: the results of the analyses, computed once, and small makers of rows.
// Internal to this folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/report.h"

namespace accelscope::analysis {

struct MethodWork {
  MethodLatency latency = {};
  Breakdown breakdown = {};
  Delegation delegation = {};
};

struct ReportWork {
  std::vector<std::vector<MethodWork>> experiments = {};  // as in the input, one per method
  std::vector<Comparison> comparisons = {};               // one per pair
  std::vector<CrossCheck> checks = {};
  // The trust box: what the files say, what the data says, and what was recorded around it.
  trace::QualityTable quality = {};
};

// One method of one experiment that a section speaks of: the candidates where there are pairs, else all.
struct Subject {
  std::size_t experiment = 0;
  std::size_t method = 0;
  const MethodComparison* comparison = nullptr;
  std::string title = {};
};

ReportWork do_work(const ReportInput& input);
std::vector<Subject> subjects_of(const ReportInput& input, const ReportWork& work);

// The section itself when there is one subject, else a part of it with the subject's title.
findings::Section& place_for(findings::Findings& findings, std::string_view section_id, std::size_t subject,
                             std::size_t subjects, const std::string& title);

// Calls `add(section, subject, method, work)` for every subject, with the section or part that is its place.
template <class Add>
void add_per_subject(findings::Findings& findings, const ReportInput& input, const ReportWork& work,
                     std::string_view section_id, Add&& add) {
  const std::vector<Subject> subjects = subjects_of(input, work);
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const Subject& subject = subjects[i];
    add(place_for(findings, section_id, i, subjects.size(), subject.title), subject,
        input.experiments[subject.experiment].profile.methods[subject.method],
        work.experiments[subject.experiment][subject.method]);
  }
}

std::string title_of(const Comparison& comparison, const MethodComparison& method, std::size_t methods);

findings::Column text_column(std::string id, std::string title);
findings::Column number_column(std::string id, std::string title, std::string unit, int decimals = 3);
findings::Column percent_column(std::string id, std::string title);
findings::Column ratio_column(std::string id, std::string title);
findings::Column count_column(std::string id, std::string title);

void add_metadata(findings::Findings& findings, const ReportInput& input, const ReportWork& work);
void add_latency(findings::Findings& findings, const ReportInput& input, const ReportWork& work);
void add_categories(findings::Findings& findings, const ReportInput& input, const ReportWork& work);
void add_operators(findings::Findings& findings, const ReportInput& input, const ReportWork& work);
void add_acceleration(findings::Findings& findings, const ReportInput& input, const ReportWork& work);
void add_bottlenecks(findings::Findings& findings, const ReportInput& input, const ReportWork& work);
void add_delegation(findings::Findings& findings, const ReportInput& input, const ReportWork& work);
void add_kernels(findings::Findings& findings, const ReportInput& input, const ReportWork& work);
void add_recommendations(findings::Findings& findings, const ReportInput& input, const ReportWork& work);

}  // namespace accelscope::analysis
