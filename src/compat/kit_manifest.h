// The JSON files that lie beside the profiling kit's CSV files: manifest.json, metrics.json and the
// configuration that the manifest names. Only what the kit's reports use is read.
//
// Other members are passed over, and of a member that appears twice the last counts, as in Python. Unlike
// Python, a bare NaN is an error: it is not JSON. Plain data that owns its texts; safe from any thread.
//
//   ACCELSCOPE_TRY(const MappedFile file, MappedFile::open("runs/mac/manifest.json"));
//   ACCELSCOPE_TRY(const KitManifest manifest, read_kit_manifest(file));
#pragma once

#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"

namespace accelscope::compat {

struct KitManifest {
  // Empty where the manifest has none.
  std::string model;
  std::string config;
  std::string executorch_sha;
  bool executorch_dirty = false;
  // Whether the manifest has the members at all, and results is a list.
  bool has_model = false;
  bool has_results = false;
};

struct KitMetrics {
  struct Result {
    std::string experiment;
    std::vector<double> latencies;  // latency_ms, or else avg_latency_ms
    bool single_number = false;     // it is a number instead of a list, at which the kit's reports fail
  };
  std::vector<Result> results;
};

struct KitConfig {
  struct Experiment {
    std::string name = "unknown";
    std::string runner_path;
  };
  std::vector<Experiment> experiments;
};

base::Result<KitManifest> read_kit_manifest(const base::MappedFile& file);
base::Result<KitMetrics> read_kit_metrics(const base::MappedFile& file);
base::Result<KitConfig> read_kit_config(const base::MappedFile& file);

}  // namespace accelscope::compat
