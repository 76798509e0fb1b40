#include "experiments/schedule.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "base/closest_name.h"
#include "base/file_names.h"

namespace accelscope::experiments {
namespace {

// One experiment on one number of threads.
struct Entry {
  std::size_t experiment = 0;
  std::int64_t threads = 1;
  std::int64_t rounds = 1;
};

// Which entries take turns: a forest of sets, each named by its first entry.
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  std::size_t of(std::size_t entry) const {
    while (parent_[entry] != entry) entry = parent_[entry];
    return entry;
  }
  void join(std::size_t a, std::size_t b) {
    const std::size_t first = std::min(of(a), of(b));
    parent_[std::max(of(a), of(b))] = first;
  }

 private:
  std::vector<std::size_t> parent_;
};

std::vector<Entry> timing_entries(const Config& config, const ScheduleOptions& options) {
  const std::int64_t wanted =
      options.rounds.value_or(options.order == Order::kInterleaved ? kDefaultRounds : 1);
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < config.experiments.size(); ++i) {
    const Experiment& experiment = config.experiments[i];
    if (experiment.mode != Mode::kTiming) continue;
    for (const std::int64_t threads : experiment.threads)
      entries.push_back({i, threads, std::clamp<std::int64_t>(wanted, 1, experiment.runs)});
  }
  return entries;
}

std::optional<std::size_t> find_entry(const Config& config, const std::vector<Entry>& entries,
                                      const ExperimentRef& ref) {
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (config.experiments[entries[i].experiment].name == ref.experiment && entries[i].threads == ref.threads)
      return i;
  return std::nullopt;
}

Groups groups_of(const Config& config, const std::vector<Entry>& entries) {
  Groups groups(entries.size());
  std::vector<bool> paired(entries.size(), false);
  for (const ComparePair& pair : config.compare_pairs) {
    const auto baseline = find_entry(config, entries, pair.baseline);
    const auto candidate = find_entry(config, entries, pair.candidate);
    if (!baseline || !candidate) continue;
    groups.join(*baseline, *candidate);
    paired[*baseline] = paired[*candidate] = true;
  }
  // Nobody said what these are compared with: with each other, on equal threads.
  for (std::size_t a = 0; a < entries.size(); ++a)
    for (std::size_t b = a + 1; b < entries.size(); ++b)
      if (!paired[a] && !paired[b] && entries[a].threads == entries[b].threads) groups.join(a, b);
  return groups;
}

Step timing_step(const Config& config, const Entry& entry, std::int64_t round, WarmUp warm_up) {
  const Experiment& experiment = config.experiments[entry.experiment];
  const bool inside = warm_up == WarmUp::kInProcess;
  // What does not divide evenly goes to the first rounds.
  const std::int64_t runs = experiment.runs / entry.rounds + (round < experiment.runs % entry.rounds ? 1 : 0);
  return {.experiment = entry.experiment,
          .threads = entry.threads,
          .mode = Mode::kTiming,
          .round = round,
          .rounds = entry.rounds,
          .runs = runs,
          .warmup = inside ? experiment.warmup : 0,
          .separate_warmup = inside ? 0 : experiment.warmup};
}

void add_turns(const Config& config, const std::vector<Entry>& members, WarmUp warm_up,
               std::vector<Step>& steps) {
  std::int64_t most = 0;
  for (const Entry& entry : members) most = std::max(most, entry.rounds);
  for (std::int64_t round = 0; round < most; ++round) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      const Entry& entry = members[round % 2 == 0 ? i : members.size() - 1 - i];
      if (round < entry.rounds) steps.push_back(timing_step(config, entry, round, warm_up));
    }
  }
}

void add_traces(const Config& config, const ScheduleOptions& options, std::vector<Step>& steps) {
  for (std::size_t i = 0; i < config.experiments.size(); ++i) {
    const Experiment& experiment = config.experiments[i];
    if (experiment.mode != Mode::kXnntrace) continue;
    // The kit warms a trace run up on the host and not on a device; it makes no difference to what is logged.
    const bool warmed = options.warm_up == WarmUp::kSeparateProcess && config.platform == Platform::kLocal;
    for (const std::int64_t threads : experiment.threads)
      steps.push_back({.experiment = i,
                       .threads = threads,
                       .mode = Mode::kXnntrace,
                       .separate_warmup = warmed ? experiment.warmup : 0});
  }
}

}  // namespace

std::string_view order_name(Order order) {
  return order == Order::kInterleaved ? "interleaved" : "sequential";
}

std::string_view warm_up_name(WarmUp warm_up) {
  return warm_up == WarmUp::kInProcess ? "in-process" : "separate";
}

std::vector<Step> make_schedule(const Config& config, const ScheduleOptions& options) {
  const std::vector<Entry> entries = timing_entries(config, options);
  std::vector<Step> steps;
  if (options.order == Order::kSequential) {
    for (const Entry& entry : entries) add_turns(config, {entry}, options.warm_up, steps);
  } else {
    const Groups groups = groups_of(config, entries);
    for (std::size_t first = 0; first < entries.size(); ++first) {
      if (groups.of(first) != first) continue;
      std::vector<Entry> members;
      for (std::size_t i = first; i < entries.size(); ++i)
        if (groups.of(i) == first) members.push_back(entries[i]);
      add_turns(config, members, options.warm_up, steps);
    }
  }
  add_traces(config, options, steps);
  return steps;
}

std::string file_prefix(const Config& config, const Step& step) {
  std::string prefix = fmt::format("{}_{}_t{}", base::file_stem(config.model),
                                   config.experiments[step.experiment].name, step.threads);
  if (step.rounds > 1) prefix += fmt::format("_r{}", step.round + 1);
  return prefix;
}

base::Result<std::vector<bool>> selected_experiments(const Config& config,
                                                     const std::vector<std::string>& only) {
  std::vector<bool> selected(config.experiments.size(), only.empty());
  std::vector<std::string_view> names;
  for (const Experiment& experiment : config.experiments) names.push_back(experiment.name);
  for (const std::string& name : only) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      return base::fail(base::ErrorCode::kUsage, "no experiment of {} is called {}{}", config.path, name,
                        base::suggestion(name, names));
    selected[static_cast<std::size_t>(found - names.begin())] = true;
  }
  return selected;
}

}  // namespace accelscope::experiments
