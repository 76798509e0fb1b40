// manifest.json and metrics.json of a run directory: the documented fields of the kit, and ours beside them
// (docs/bench.md has both). Also what a resumed bench needs to know of an earlier manifest.
//
// Writing is atomic: at every moment the files on disk are whole. One thread writes a directory.
//
//   ACCELSCOPE_CHECK(save_manifest(state));
//   ACCELSCOPE_TRY(const std::optional<EarlierManifest> earlier, read_earlier_manifest(config.output_root));
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/result.h"
#include "experiments/bench_state.h"

namespace accelscope::experiments {

inline constexpr std::string_view kManifestSchema = "accelscope.manifest/1";
inline constexpr std::string_view kManifestFile = "manifest.json";
inline constexpr std::string_view kMetricsFile = "metrics.json";

void write_manifest(base::JsonWriter& json, const BenchState& state);
void write_metrics(base::JsonWriter& json, const BenchState& state);
// Both, into config.output_root.
base::Status save_manifest(const BenchState& state);

struct EarlierManifest {
  bool ours = false;  // written by this program and not by the kit
  std::string config = {};
  std::string config_hash = {};
  std::string device = {};
  std::string order = {};
  std::string warm_up = {};
  Fingerprint model = {};
  std::map<std::string, Fingerprint> runners = {};  // by experiment
  std::optional<JsonNode> device_facts = {};
  std::vector<JsonNode> steps = {};
};

// Nothing when the directory has none. An error when it has one that cannot be read.
base::Result<std::optional<EarlierManifest>> read_earlier_manifest(const std::string& directory);

// Whether what an earlier manifest says about a step is about this one.
bool describes(const JsonNode& earlier, const Config& config, const Step& step);

}  // namespace accelscope::experiments
