#include "jobs/roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/closest_name.h"

namespace accelscope::jobs {
namespace {

using analysis::RolePair;
using base::ErrorCode;
using base::Result;

using Experiments = std::span<const RoleCandidate>;

// "off" are all thread counts of it, "off t4" is one of them.
bool is_called(const RoleCandidate& experiment, const std::string& name) {
  return experiment.name == name ||
         (experiment.threads && fmt::format("{} t{}", experiment.name, *experiment.threads) == name);
}

std::vector<std::size_t> named(Experiments experiments, const std::string& name) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < experiments.size(); ++i)
    if (experiments[i].timing && is_called(experiments[i], name)) found.push_back(i);
  return found;
}

tl::unexpected<base::Error> unknown_name(Experiments experiments, std::string_view option,
                                         const std::string& name) {
  std::vector<std::string_view> names;
  for (const RoleCandidate& experiment : experiments)
    if (experiment.timing && std::find(names.begin(), names.end(), experiment.name) == names.end())
      names.push_back(experiment.name);
  return base::fail(ErrorCode::kUsage, "{} {}: no timing experiment of this name{}; there are: {}", option,
                    name, base::suggestion(name, names), fmt::join(names, ", "));
}

std::string threads_text(const RoleCandidate& experiment) {
  return experiment.threads ? fmt::format("{} threads", *experiment.threads) : "an unknown number of threads";
}

bool threads_differ(const RoleCandidate& a, const RoleCandidate& b) {
  return a.threads && b.threads && *a.threads != *b.threads;
}

// Every pair of equal thread counts; with permission, the first of each side when there is none.
Result<Roles> by_options(Experiments experiments, const RoleOptions& options) {
  if (options.baseline.empty() || options.candidate.empty())
    return base::fail(ErrorCode::kUsage, "--baseline and --candidate belong together: {} is missing",
                      options.baseline.empty() ? "--baseline" : "--candidate");
  const std::vector<std::size_t> baselines = named(experiments, options.baseline);
  const std::vector<std::size_t> candidates = named(experiments, options.candidate);
  if (baselines.empty()) return unknown_name(experiments, "--baseline", options.baseline);
  if (candidates.empty()) return unknown_name(experiments, "--candidate", options.candidate);
  Roles roles{.chosen_by = "--baseline and --candidate"};
  for (const std::size_t baseline : baselines)
    for (const std::size_t candidate : candidates)
      if (!threads_differ(experiments[baseline], experiments[candidate]))
        roles.pairs.push_back({baseline, candidate});
  if (!roles.pairs.empty()) return roles;
  if (!options.allow_thread_mismatch)
    return base::fail(
        ErrorCode::kUsage,
        "{} ran with {}, {} with {}: not one change. Use --allow-thread-mismatch to compare them anyway",
        options.baseline, threads_text(experiments[baselines.front()]), options.candidate,
        threads_text(experiments[candidates.front()]));
  roles.pairs.push_back({baselines.front(), candidates.front()});
  return roles;
}

std::optional<std::size_t> find(Experiments experiments, const std::string& name,
                                std::optional<std::int64_t> threads) {
  for (const std::size_t position : named(experiments, name))
    if (!threads || !experiments[position].threads || *experiments[position].threads == *threads)
      return position;
  return std::nullopt;
}

Roles by_config(Experiments experiments, std::span<const ConfigPair> pairs, const RoleOptions& options) {
  Roles roles{.chosen_by = "the config's compare pairs"};
  const auto leave_out = [&](const ConfigPair& pair, std::string_view why) {
    roles.quality.add({.id = "report.pair_left_out",
                       .severity = trace::Severity::kWarning,
                       .sentence = fmt::format("The config's pair {} / {} is not compared: {}.",
                                               pair.baseline, pair.candidate, why)});
  };
  for (const ConfigPair& pair : pairs) {
    const std::optional<std::size_t> baseline = find(experiments, pair.baseline, pair.baseline_threads);
    const std::optional<std::size_t> candidate = find(experiments, pair.candidate, pair.candidate_threads);
    if (!baseline || !candidate)
      leave_out(pair, fmt::format("{} has no recording", !baseline ? pair.baseline : pair.candidate));
    else if (threads_differ(experiments[*baseline], experiments[*candidate]) &&
             !options.allow_thread_mismatch)
      leave_out(pair, "their thread counts differ (--allow-thread-mismatch)");
    else
      roles.pairs.push_back({*baseline, *candidate});
  }
  return roles;
}

struct SwitchName {
  std::string rest = {};  // the name without its switch
  bool on = false;
};

bool separates(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) == 0;
}

// "mac_sme2_on" is "mac_sme2_*" switched on. The last word that is "on" or "off" is the switch.
std::optional<SwitchName> switch_in(std::string_view name) {
  std::optional<SwitchName> found;
  for (std::size_t begin = 0; begin < name.size();) {
    std::size_t end = begin;
    while (end < name.size() && !separates(name[end])) ++end;
    std::string word(name.substr(begin, end - begin));
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (word == "on" || word == "off")
      found = SwitchName{fmt::format("{}*{}", name.substr(0, begin), name.substr(end)), word == "on"};
    begin = end + 1;
  }
  return found;
}

Roles by_names(Experiments experiments) {
  Roles roles{.chosen_by = "names that say on and off"};
  for (std::size_t on = 0; on < experiments.size(); ++on) {
    const std::optional<SwitchName> candidate = switch_in(experiments[on].name);
    if (!experiments[on].timing || !candidate || !candidate->on) continue;
    for (std::size_t off = 0; off < experiments.size(); ++off) {
      const std::optional<SwitchName> baseline = switch_in(experiments[off].name);
      if (!experiments[off].timing || !baseline || baseline->on || baseline->rest != candidate->rest)
        continue;
      if (threads_differ(experiments[on], experiments[off])) continue;
      roles.pairs.push_back({off, on});
      break;
    }
  }
  return roles;
}

}  // namespace

std::optional<bool> says_on(std::string_view name) {
  const std::optional<SwitchName> found = switch_in(name);
  return found ? std::optional(found->on) : std::nullopt;
}

Result<Roles> choose_roles(Experiments experiments, std::span<const ConfigPair> config_pairs,
                           const RoleOptions& options) {
  if (!options.baseline.empty() || !options.candidate.empty()) return by_options(experiments, options);
  if (!config_pairs.empty()) {
    Roles roles = by_config(experiments, config_pairs, options);
    if (!roles.pairs.empty()) return roles;
    Roles named_roles = by_names(experiments);
    named_roles.quality.append(roles.quality);
    return named_roles;
  }
  return by_names(experiments);
}

}  // namespace accelscope::jobs
