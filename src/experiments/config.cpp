#include "experiments/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/closest_name.h"
#include "base/mapped_file.h"
#include "experiments/config_fields.h"
#include "experiments/fingerprint.h"

namespace accelscope::experiments {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Location;

constexpr std::int64_t kMaxRuns = 10'000'000;
constexpr std::int64_t kMaxThreads = 4096;
constexpr double kMaxTimeoutSeconds = 7.0 * 24 * 3600;

constexpr std::string_view kTopKeys[] = {"model",    "output_root", "experiments",     "analysis",
                                         "etrecord", "environment", "timeout_seconds", "device"};
constexpr std::string_view kExperimentKeys[] = {
    "name",         "runner_path", "quiet_runner",    "mode", "runs", "warmup", "threads", "extra_args",
    "cpu_affinity", "environment", "timeout_seconds", "build"};
constexpr std::string_view kAnalysisKeys[] = {"compare_pairs"};
constexpr std::string_view kPairKeys[] = {"baseline", "candidate", "label"};
constexpr std::string_view kSideKeys[] = {"experiment", "threads"};

std::string current_directory() {
  std::error_code error;
  const fs::path path = fs::current_path(error);
  return error ? "." : path.string();
}

std::string absolute(const std::string& directory, const std::string& path) {
  return (fs::path(directory) / path).lexically_normal().string();
}

// Where results go when the config does not say: beside what the exporter made.
std::string derived_output_root(const std::string& model_path, Platform platform) {
  const std::string_view last = platform == Platform::kAndroid ? "android" : "results";
  const fs::path folder = fs::path(model_path).parent_path();
  if (folder.filename() == "artifacts") return (folder.parent_path() / last).string();
  for (fs::path above = folder; above.has_relative_path(); above = above.parent_path())
    if (above.filename().string().starts_with("out_")) return (above / last).string();
  return (folder / last).string();
}

// An absolute path stays; else the one under executorch/, when it is there; else as it is given.
std::string resolved_runner(const std::string& directory, const std::string& path) {
  if (path.empty() || fs::path(path).is_absolute()) return path;
  const std::string inside = absolute(directory, "executorch/" + path);
  std::error_code ignored;
  return fs::exists(inside, ignored) ? inside : absolute(directory, path);
}

// A name stands bare in the line that a device's shell executes.
bool is_variable_name(std::string_view name) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::string_view kAll = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return !name.empty() && kDigits.find(name.front()) == std::string_view::npos &&
         name.find_first_not_of(kAll) == std::string_view::npos;
}

class ConfigReader {
 public:
  ConfigReader(Config& config, const ConfigOptions& options, Problems& problems)
      : config_(config), options_(options), problems_(problems) {}

  void read(const JsonNode& root) {
    const Fields fields(root, "", problems_);
    fields.check_keys(kTopKeys, !options_.compat);
    config_.model = fields.text("model", Need::kRequired);
    config_.device = fields.text("device");
    config_.platform =
        options_.platform.value_or(config_.device.empty() ? Platform::kLocal : Platform::kAndroid);
    environment_ = environment(fields);
    timeout_seconds_ = fields.number("timeout_seconds", 600, 0.001, kMaxTimeoutSeconds);
    read_paths(fields);
    read_experiments(fields);
    read_pairs(fields);
  }

 private:
  void read_paths(const Fields& fields) {
    if (!config_.model.empty()) config_.model_path = absolute(config_.directory, config_.model);
    const std::string root = fields.text("output_root");
    config_.output_root = root.empty() ? derived_output_root(config_.model_path, config_.platform)
                                       : absolute(config_.directory, root);
    if (const std::string etrecord = fields.text("etrecord"); !etrecord.empty())
      config_.etrecord = absolute(config_.directory, etrecord);
  }

  void read_experiments(const Fields& top) {
    const JsonNode* list = top.array("experiments");
    if (list == nullptr) return;
    for (std::size_t i = 0; i < list->items.size(); ++i)
      read_experiment(Fields(list->items[i], fmt::format("experiments[{}]", i), problems_));
  }

  void read_experiment(const Fields& fields) {
    if (!fields.is_object()) return;
    fields.check_keys(kExperimentKeys, !options_.compat);
    Experiment experiment;
    experiment.name = name_of(fields);
    experiment.runner_path = runner_of(fields);
    experiment.runner = resolved_runner(config_.directory, experiment.runner_path);
    experiment.mode = mode_of(fields);
    experiment.runs = fields.integer("runs", experiment.runs, 1, kMaxRuns);
    experiment.warmup = fields.integer("warmup", experiment.warmup, 0, kMaxRuns);
    experiment.threads = threads_of(fields);
    experiment.extra_args = fields.texts("extra_args");
    experiment.cpu_affinity = affinity_of(fields);
    experiment.environment = environment_;
    for (auto& variable : environment(fields)) experiment.environment.push_back(std::move(variable));
    experiment.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(
        1000 * fields.number("timeout_seconds", timeout_seconds_, 0.001, kMaxTimeoutSeconds)));
    if (const JsonNode* build = fields.find("build"); build != nullptr) {
      if (build->is_object())
        experiment.build = *build;
      else
        fields.wrong_kind("build", *build, "an object");
    }
    config_.experiments.push_back(std::move(experiment));
  }

  // It becomes part of file names.
  std::string name_of(const Fields& fields) {
    std::string name = fields.text("name", Need::kRequired);
    const auto is_odd = [](char c) { return c == '/' || static_cast<unsigned char>(c) < 0x20; };
    if (std::any_of(name.begin(), name.end(), is_odd) || name.starts_with('.'))
      fields.error("name", "names a folder: no `/`, no control characters, no dot at its beginning");
    if (!name.empty() && config_.find(name) != nullptr)
      fields.error("name", fmt::format("another experiment is called {}, too; results would mix", name));
    return name;
  }

  std::string runner_of(const Fields& fields) {
    const bool aliased = fields.find("runner_path") == nullptr && fields.find("quiet_runner") != nullptr;
    if (fields.find("runner_path") != nullptr && fields.find("quiet_runner") != nullptr)
      fields.error("quiet_runner", "is another name of runner_path, which is given, too");
    std::string runner = fields.text(aliased ? "quiet_runner" : "runner_path");
    const bool absent = !aliased && fields.find("runner_path") == nullptr;
    if (absent && config_.platform == Platform::kLocal)
      fields.error("runner_path", "is missing: only on a device may the runner be there already");
    return runner;
  }

  Mode mode_of(const Fields& fields) {
    const std::string mode = fields.text("mode");
    if (mode == "xnntrace") return Mode::kXnntrace;
    constexpr std::string_view kModes[] = {"timing", "xnntrace"};
    if (!mode.empty() && mode != "timing")
      fields.error("mode", fmt::format("`{}` is neither `timing` nor `xnntrace`{}", mode,
                                       base::suggestion(mode, kModes)));
    return Mode::kTiming;
  }

  std::vector<std::int64_t> threads_of(const Fields& fields) {
    const JsonNode* list = fields.array("threads");
    if (list == nullptr) return {1};
    std::vector<std::int64_t> threads;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      const JsonNode& item = list->items[i];
      const auto complain = [&](std::string text) {
        problems_.errors.push_back(
            {item.line, fmt::format("{}[{}]", fields.place_of("threads"), i), std::move(text)});
      };
      if (!item.is_integer())
        complain(fmt::format("a whole number is expected, this is {}", kind_in_words(item.kind)));
      else if (item.integer < 1 || item.integer > kMaxThreads)
        complain(fmt::format("{} is out of range: 1 to {} are possible", item.integer, kMaxThreads));
      else if (std::find(threads.begin(), threads.end(), item.integer) != threads.end())
        complain(fmt::format("{} is given twice", item.integer));
      else
        threads.push_back(item.integer);
    }
    if (list->items.empty()) fields.error("threads", "is empty: nothing would run; [1] is the default");
    return threads;
  }

  std::string affinity_of(const Fields& fields) {
    std::string mask = fields.text("cpu_affinity");
    const std::string_view digits = std::string_view(mask).substr(mask.starts_with("0x") ? 2 : 0);
    if (!mask.empty() &&
        (digits.empty() || digits.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos))
      fields.error("cpu_affinity",
                   fmt::format("`{}` is no hexadecimal mask of cores, such as \"0x80\"", mask));
    return mask;
  }

  Environment environment(const Fields& fields) {
    Environment variables;
    const JsonNode* node = fields.find("environment");
    if (node == nullptr) return variables;
    const Fields names(*node, fields.place_of("environment"), problems_);
    for (const std::string& key : node->keys) {
      if (!is_variable_name(key))
        names.error(key, "is no name of an environment variable: letters, digits and `_` are possible");
      variables.emplace_back(key, names.text(key));
    }
    names.check_keys(std::vector<std::string_view>(node->keys.begin(), node->keys.end()), true);
    return variables;
  }

  void read_pairs(const Fields& top) {
    const JsonNode* analysis = top.find("analysis");
    if (analysis == nullptr) return;
    const Fields fields(*analysis, "analysis", problems_);
    fields.check_keys(kAnalysisKeys, !options_.compat);
    const JsonNode* list = fields.array("compare_pairs");
    if (list == nullptr) return;
    for (std::size_t i = 0; i < list->items.size(); ++i)
      read_pair(
          Fields(list->items[i], fmt::format("{}[{}]", fields.place_of("compare_pairs"), i), problems_));
  }

  void read_pair(const Fields& fields) {
    if (!fields.is_object()) return;
    fields.check_keys(kPairKeys, !options_.compat);
    ComparePair pair{read_side(fields, "baseline"), read_side(fields, "candidate"), fields.text("label")};
    if (!pair.baseline.experiment.empty() && pair.baseline == pair.candidate)
      fields.error("candidate", "is the baseline itself");
    else if (pair.baseline.threads != pair.candidate.threads)
      problems_.warnings.push_back(
          {fields.node().line, fields.place_of(""),
           fmt::format("compares {} threads with {}: the difference is not the build's alone",
                       pair.baseline.threads, pair.candidate.threads)});
    config_.compare_pairs.push_back(std::move(pair));
  }

  ExperimentRef read_side(const Fields& pair, std::string_view key) {
    const JsonNode* node = pair.find(key, Need::kRequired);
    if (node == nullptr) return {};
    const Fields side(*node, pair.place_of(key), problems_);
    side.check_keys(kSideKeys, !options_.compat);
    ExperimentRef ref{side.text("experiment", Need::kRequired), side.integer("threads", 0, 1, kMaxThreads)};
    if (!ref.experiment.empty()) check_side(side, ref);
    return ref;
  }

  void check_side(const Fields& side, ExperimentRef& ref) {
    const Experiment* experiment = config_.find(ref.experiment);
    if (experiment == nullptr) {
      std::vector<std::string_view> names;
      for (const Experiment& known : config_.experiments) names.push_back(known.name);
      side.error("experiment", fmt::format("no experiment is called {}{}", ref.experiment,
                                           base::suggestion(ref.experiment, names)));
      return;
    }
    if (experiment->mode == Mode::kXnntrace)
      side.error("experiment",
                 fmt::format("{} is a trace run: its times are not to be compared", ref.experiment));
    const std::vector<std::int64_t>& threads = experiment->threads;
    if (ref.threads == 0 && threads.size() == 1)
      ref.threads = threads.front();
    else if (ref.threads == 0)
      side.error("threads", fmt::format("is missing, and {} runs on several", ref.experiment));
    else if (std::find(threads.begin(), threads.end(), ref.threads) == threads.end())
      side.error("threads", fmt::format("{} does not run on {} threads, but on {}", ref.experiment,
                                        ref.threads, fmt::join(threads, ", ")));
  }

  Config& config_;
  const ConfigOptions& options_;
  Problems& problems_;
  Environment environment_;
  double timeout_seconds_ = 600;
};

}  // namespace

std::string_view mode_name(Mode mode) {
  return mode == Mode::kTiming ? "timing" : "xnntrace";
}

const Experiment* Config::find(std::string_view name) const {
  const auto found = std::find_if(experiments.begin(), experiments.end(),
                                  [&](const Experiment& experiment) { return experiment.name == name; });
  return found == experiments.end() ? nullptr : &*found;
}

base::Result<Config> parse_config(const std::string& path, std::string_view text,
                                  const ConfigOptions& options) {
  ACCELSCOPE_TRY(const JsonNode root, parse_json(path, text));
  Config config;
  config.path = path;
  config.text_hash = xxh3_of(text);
  config.directory = options.directory.empty() ? current_directory() : options.directory;
  Problems problems;
  ConfigReader(config, options, problems).read(root);
  for (const Problem& warning : problems.warnings) config.warnings.push_back(problem_in_words(warning));
  if (problems.errors.empty()) return config;
  std::stable_sort(problems.errors.begin(), problems.errors.end(),
                   [](const Problem& a, const Problem& b) { return a.line < b.line; });
  std::string list;
  for (const Problem& problem : problems.errors) list += fmt::format("\n  {}", problem_in_words(problem));
  return base::fail_at(Location::of_file(path), ErrorCode::kMalformed, "{} error{} in the config:{}",
                       problems.errors.size(), problems.errors.size() == 1 ? "" : "s", list);
}

base::Result<Config> load_config(const std::string& path, const ConfigOptions& options) {
  const std::string directory = options.directory.empty() ? current_directory() : options.directory;
  const std::string place = absolute(directory, path);
  std::error_code ignored;
  if (!fs::exists(place, ignored))
    return base::fail_at(Location::of_file(path), ErrorCode::kNotFound,
                         "there is no such config; it was looked for at {}", place);
  ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(place, kMaxJsonFileBytes));
  if (file.size() > kMaxJsonFileBytes)
    return base::fail_at(Location::of_file(path), ErrorCode::kTooLarge, "has {} bytes: this is no config",
                         file.size());
  return parse_config(path, file.text(), options);
}

}  // namespace accelscope::experiments
