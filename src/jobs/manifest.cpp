#include "jobs/manifest.h"

#include <fmt/core.h>

#include <filesystem>

#include "base/date.h"
#include "base/file_names.h"
#include "base/json_outline.h"
#include "base/output_file.h"
#include "boards/board_file.h"
#include "boards/model_file.h"

namespace accelscope::jobs {
namespace {

using base::ErrorCode;
using base::Result;
using Origin = ManifestFacts::Origin;

constexpr std::string_view kDefaultName = "weight_manifest.json";

bool is_directory(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) && !std::filesystem::is_directory(path, ignored);
}

Result<ManifestFacts> facts_of_build(const std::string& directory) {
  ACCELSCOPE_TRY(boards::BuildManifest built, boards::manifest_from_build(directory));
  return ManifestFacts{.origin = Origin::kBuild,
                       .title = fmt::format("Weight manifest of {}", directory),
                       .manifest = std::move(built.manifest),
                       .names = std::move(built.names),
                       .sources = built.sources,
                       .remarks = std::move(built.remarks)};
}

Result<ManifestFacts> facts_of_model(const ManifestJobOptions& options) {
  ACCELSCOPE_TRY(const boards::Model model, boards::load_model(options.input));
  ACCELSCOPE_TRY(boards::ModelManifest made, boards::manifest_from_model(model, options.model));
  return ManifestFacts{.origin = Origin::kModel,
                       .title = fmt::format("Weight manifest of {}", model.nickname),
                       .manifest = std::move(made.manifest),
                       .names = std::move(made.names),
                       .without_vocabulary = model.text.vocabulary == 0};
}

// A file is a manifest if it looks like one, else a model; so is what is no file.
Result<ManifestFacts> facts_of_other(const ManifestJobOptions& options) {
  if (!is_file(options.input)) return facts_of_model(options);
  ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(options.input));
  const base::JsonOutline outline(file.text());
  if (!outline.has("regions") && !outline.has("activation_ceiling")) return facts_of_model(options);
  ACCELSCOPE_TRY(boards::WeightManifest manifest, boards::read_manifest(file));
  return ManifestFacts{.origin = Origin::kFile,
                       .title = fmt::format("Weight manifest {}", base::file_name(options.input)),
                       .manifest = std::move(manifest)};
}

// What is asked for comes first, then what a file says, then the board.
base::Status find_capacity(const ManifestJobOptions& options, ManifestFacts& facts) {
  std::optional<base::Bytes> of_board;
  if (!options.board.empty()) {
    ACCELSCOPE_TRY(const boards::Board board, boards::load_board(options.board));
    of_board = board.memory.capacity();
    if (!of_board && !options.capacity)
      return base::fail(ErrorCode::kUsage,
                        "the board {} does not say how large its memory is; --ddr-capacity does", board.name);
  }
  const std::optional<base::Bytes> of_file = facts.manifest.capacity;
  if (!facts.manifest.capacity) facts.manifest.capacity = of_board;
  if (options.capacity) facts.manifest.capacity = options.capacity;
  if (of_file && of_file != facts.manifest.capacity) facts.replaced_capacity = of_file;
  if (!facts.manifest.capacity && facts.origin != Origin::kFile)
    return base::fail(ErrorCode::kUsage, "how large is the memory? give --board NAME or --ddr-capacity SIZE");
  return {};
}

std::string output_path(const ManifestJobOptions& options, Origin origin) {
  if (!options.out.empty() || origin != Origin::kBuild) return options.out;
  return (std::filesystem::path(options.input) / kDefaultName).string();
}

}  // namespace

Result<ManifestJob> manifest(const ManifestJobOptions& options) {
  const bool build = is_directory(options.input);
  ACCELSCOPE_TRY(ManifestFacts facts, build ? facts_of_build(options.input) : facts_of_other(options));
  if (options.model_options_given && facts.origin != Origin::kModel)
    return base::fail(ErrorCode::kUsage,
                      "--context, --prompt, --batch, --weights and --kv are for the manifest of a model; {} "
                      "says itself how large everything is",
                      options.input);
  ACCELSCOPE_CHECK(find_capacity(options, facts));
  ManifestJob job;
  ACCELSCOPE_TRY(job.findings, manifest_document(facts, options.total_layers));
  job.findings.provenance.version = options.version;
  job.findings.provenance.generated_at = base::iso_date(base::report_time());
  job.findings.provenance.inputs.push_back({.path = options.input, .format = "weight manifest"});
  job.written_to = output_path(options, facts.origin);
  if (!job.written_to.empty())
    ACCELSCOPE_CHECK(base::write_file(
        job.written_to, [&](base::Output& out) { boards::write_manifest(facts.manifest, out); }));
  return job;
}

}  // namespace accelscope::jobs
