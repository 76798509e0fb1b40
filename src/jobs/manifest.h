// The job behind `accelscope manifest`: a weight manifest of a build directory, of a model, or one that is
// there already, and what it means for a board's memory (docs/manifest.md).
//
// Prints nothing; writes only the manifest, where it is told to. Safe from any thread.
//
//   ACCELSCOPE_TRY(const ManifestJob done, manifest({.input = "build/clm60m", .board = "nexys_video"}));
//   done.findings, done.written_to
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "boards/manifest_from_build.h"
#include "boards/manifest_from_model.h"
#include "boards/weight_manifest.h"
#include "findings/findings.h"

namespace accelscope::jobs {

struct ManifestJobOptions {
  std::string input = {};                                    // a build directory, a manifest, a model
  std::string board = {};                                    // the name of one or a file; "" for none
  std::optional<base::Bytes> capacity = std::nullopt;        // instead of the board's
  std::optional<std::uint64_t> total_layers = std::nullopt;  // also estimate for so many
  boards::ModelManifestOptions model = {};                   // of a model's manifest
  bool model_options_given = false;                          // an error for any other input
  std::string out = {};      // "": weight_manifest.json in a build directory, nowhere for other inputs
  std::string version = {};  // of the program, for provenance
};

struct ManifestJob {
  findings::Findings findings;
  std::string written_to;  // "" where nothing was
};

base::Result<ManifestJob> manifest(const ManifestJobOptions& options);

// What the document is made of.
struct ManifestFacts {
  enum class Origin : std::uint8_t { kBuild, kModel, kFile };

  Origin origin = Origin::kFile;
  std::string title = {};
  boards::WeightManifest manifest = {};  // with its capacity, where one is known
  std::vector<std::string> names = {};   // one a region; none of a file
  boards::SizeSources sources = {};      // of a build
  std::vector<boards::BuildRemark> remarks = {};
  bool without_vocabulary = false;  // a model that does not say it: no embedding, no output layer
  std::optional<base::Bytes> replaced_capacity =
      std::nullopt;  // what the file said, if something else counts
};

// The document itself. An error where an estimate does not fit 63 bits, or there is nothing to estimate from.
base::Result<findings::Findings> manifest_document(const ManifestFacts& facts,
                                                   std::optional<std::uint64_t> total_layers);

}  // namespace accelscope::jobs
