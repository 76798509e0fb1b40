// The config of `accelscope bench`: which model, which runners, how often, on how many threads, and what is
// to be compared with what. The file is the profiling kit's, with a few fields of our own; docs/bench.md has
// the table.
//
// Loading checks everything and reports all errors of a file at once, each with its place. It reads the file
// and looks whether runners lie under executorch/, and keeps nothing; the Config owns all it holds and is
// safe to read from several threads.
//
//   ACCELSCOPE_TRY(const Config config, load_config("toy.json", {}));
//   for (const Experiment& experiment : config.experiments) use(experiment.name, experiment.threads);
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "experiments/json_tree.h"

namespace accelscope::experiments {

enum class Platform : std::uint8_t { kLocal, kAndroid };
enum class Mode : std::uint8_t { kTiming, kXnntrace };
std::string_view mode_name(Mode mode);

using Environment = std::vector<std::pair<std::string, std::string>>;

struct Experiment {
  std::string name;
  std::string runner_path = {};  // as the config has it; "" for a runner that is on the device already
  std::string runner = {};       // where it is looked for, absolute; "" likewise
  Mode mode = Mode::kTiming;
  std::int64_t runs = 100;
  std::int64_t warmup = 10;
  std::vector<std::int64_t> threads = {1};
  std::vector<std::string> extra_args = {};
  std::string cpu_affinity = {};  // a mask for taskset, such as "0x80"; "" for none
  Environment environment = {};   // the config's own, then the experiment's
  std::chrono::milliseconds timeout = std::chrono::seconds(600);
  JsonNode build = {};  // facts about the build, copied into the manifest; null when absent
};

struct ExperimentRef {
  std::string experiment;
  std::int64_t threads = 1;

  bool operator==(const ExperimentRef&) const = default;
};

struct ComparePair {
  ExperimentRef baseline;
  ExperimentRef candidate;
  std::string label = {};
};

struct Config {
  std::string path;           // the config file, as it was given
  std::string text_hash;      // XXH3 of its bytes, 16 hexadecimal digits
  std::string directory;      // what relative paths are relative to
  std::string model;          // as the config has it
  std::string model_path;     // absolute
  std::string output_root;    // absolute
  std::string etrecord = {};  // absolute, or ""
  std::string device = {};    // an adb serial, or ""
  Platform platform = Platform::kLocal;
  std::vector<Experiment> experiments = {};
  std::vector<ComparePair> compare_pairs = {};
  std::vector<std::string> warnings = {};  // what was passed over, one sentence each

  // nullptr when there is none of this name.
  const Experiment* find(std::string_view name) const;
};

struct ConfigOptions {
  // Where the experiments run; without it, on a device when the config names one, and else here.
  std::optional<Platform> platform = std::nullopt;
  std::string directory = {};  // what relative paths are relative to; "" is the current directory
  bool compat = false;         // unknown keys are passed over with a warning, as the kit does silently
};

base::Result<Config> load_config(const std::string& path, const ConfigOptions& options);
// The same from text; `path` only names it.
base::Result<Config> parse_config(const std::string& path, std::string_view text,
                                  const ConfigOptions& options);

}  // namespace accelscope::experiments
