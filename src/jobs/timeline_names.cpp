#include "jobs/timeline_names.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/file_names.h"
#include "trace/vocabulary.h"

namespace accelscope::jobs {
namespace {

// "_run12_timeline" at the end of a stem: where it begins.
std::size_t one_run_suffix(std::string_view stem) {
  constexpr std::string_view kEnd = "_timeline";
  if (!stem.ends_with(kEnd)) return std::string_view::npos;
  std::size_t digits = stem.size() - kEnd.size();
  const std::size_t end = digits;
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(stem[digits - 1])) != 0) --digits;
  constexpr std::string_view kRun = "_run";
  if (digits == end || digits < kRun.size() || stem.substr(digits - kRun.size(), kRun.size()) != kRun)
    return std::string_view::npos;
  return digits - kRun.size();
}

}  // namespace

std::string recording_name(std::string_view path) {
  std::string_view stem = base::file_stem(path);
  if (const std::size_t suffix = one_run_suffix(stem); suffix != std::string_view::npos)
    stem = stem.substr(0, suffix);
  constexpr std::array<std::string_view, 6> kEndings = {"_all_runs_timeline", "_ops_stats", "_kernels",
                                                        "_xnntrace",          "_exec",      "_xtrace"};
  for (const std::string_view ending : kEndings)
    if (stem.ends_with(ending) && stem.size() > ending.size()) stem.remove_suffix(ending.size());
  return std::string(stem);
}

std::vector<std::string> short_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShort = 20;
  if (names.size() < 2) return names;
  std::size_t shared = names.front().size();
  bool any_long = false;
  for (const std::string& name : names) {
    std::size_t equal = 0;
    while (equal < std::min(shared, name.size()) && name[equal] == names.front()[equal]) ++equal;
    shared = equal;
    any_long = any_long || name.size() > kShort;
  }
  if (!any_long || shared == 0) return names;
  // Back to the beginning of the word in which they differ, and of the one before it.
  std::size_t cut = 0;
  std::size_t word = 0;
  for (std::size_t i = 0; i < shared; ++i) {
    if (std::isalnum(static_cast<unsigned char>(names.front()[i])) != 0) continue;
    cut = word;
    word = i + 1;
  }
  std::vector<std::string> result;
  result.reserve(names.size());
  for (const std::string& name : names) result.push_back(name.substr(cut));
  return result;
}

analysis::TimingUse timing_use(std::string_view path, std::string_view format) {
  if (format == "ops-csv") return analysis::TimingUse::kAggregated;
  if (one_run_suffix(base::file_stem(path)) != std::string_view::npos)
    return analysis::TimingUse::kOneRunOfSeveral;
  return analysis::TimingUse::kTiming;
}

bool is_kernel_log(const trace::Trace& trace) {
  for (const std::string_view category :
       {trace::category::kKernelRegistered, trace::category::kOperatorInvoked,
        trace::category::kOperatorSkipped})
    if (trace.find_category(category) != trace::CategoryId::kNone) return true;
  return false;
}

}  // namespace accelscope::jobs
