#include <fmt/format.h>

#include <string>

#include "base/number_in.h"
#include "boards/binary_size.h"
#include "boards/number_format.h"
#include "cli/analysis_arguments.h"
#include "cli/failure.h"
#include "cli/verbs.h"
#include "jobs/manifest.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;

Result<std::uint64_t> count_of(std::string_view option, const std::string& text) {
  const std::optional<std::uint64_t> count = base::number_in<std::uint64_t>(text);
  if (!count || *count == 0)
    return base::fail(ErrorCode::kUsage, "{} {}: expected an integer above zero", option, text);
  return *count;
}

Status read_model_options(const Arguments& arguments, jobs::ManifestJobOptions& options) {
  boards::ModelManifestOptions& model = options.model;
  for (const std::string_view name : {"--context", "--prompt", "--batch", "--weights", "--kv"})
    options.model_options_given = options.model_options_given || arguments.value(name);
  if (const auto text = arguments.value("--context")) {
    ACCELSCOPE_TRY(model.context, count_of("--context", *text));
  }
  if (const auto text = arguments.value("--prompt")) {
    ACCELSCOPE_TRY(model.prompt, count_of("--prompt", *text));
    if (*model.prompt > model.context)
      return base::fail(ErrorCode::kUsage, "--prompt {}: the context has room for {} tokens", *text,
                        model.context);
  }
  if (const auto text = arguments.value("--batch")) {
    ACCELSCOPE_TRY(model.batch, count_of("--batch", *text));
  }
  if (const auto text = arguments.value("--weights")) {
    ACCELSCOPE_TRY(model.weights, boards::parse_number_format(*text));
  }
  if (const auto text = arguments.value("--kv")) {
    ACCELSCOPE_TRY(model.kv, boards::parse_number_format(*text));
  }
  return {};
}

Result<jobs::ManifestJobOptions> manifest_options(const Arguments& arguments) {
  if (arguments.flag("--json") && arguments.flag("--markdown"))
    return base::fail(ErrorCode::kUsage, "--json and --markdown exclude each other");
  jobs::ManifestJobOptions options;
  options.input = arguments.positionals[0];
  options.board = arguments.value("--board").value_or("");
  options.out = arguments.value("--out").value_or("");
  options.version = ACCELSCOPE_VERSION;
  if (const auto size = arguments.value("--ddr-capacity")) {
    const Result<base::Bytes> capacity = boards::parse_binary_size(*size);
    if (!capacity) return base::fail(ErrorCode::kUsage, "--ddr-capacity: {}", capacity.error().message);
    options.capacity = *capacity;
  }
  if (const auto layers = arguments.value("--total-layers")) {
    ACCELSCOPE_TRY(options.total_layers, count_of("--total-layers", *layers));
  }
  ACCELSCOPE_CHECK(read_model_options(arguments, options));
  return options;
}

int run_manifest(const Arguments& arguments) {
  const Result<jobs::ManifestJobOptions> options = manifest_options(arguments);
  if (!options) return report_failure(options.error());
  const Result<jobs::ManifestJob> job = jobs::manifest(*options);
  if (!job) return report_failure(job.error());
  // The manifest itself went to standard output.
  if (job->written_to == "-") return kExitOk;
  if (const Status printed = print_findings(job->findings, arguments); !printed)
    return report_failure(printed.error());
  if (!job->written_to.empty()) fmt::print(stderr, "wrote {}\n", job->written_to);
  return kExitOk;
}

std::vector<OptionSpec> manifest_option_specs() {
  std::vector<OptionSpec> options{
      {.name = "--board",
       .short_name = "",
       .value = "BOARD",
       .help = "a board's name or file: how much memory there is"},
      {.name = "--ddr-capacity",
       .short_name = "",
       .value = "SIZE",
       .help = "how much memory there is, whatever the board says: 512M, 1.5GiB (powers of 1024)"},
      {.name = "--total-layers",
       .short_name = "",
       .value = "N",
       .help = "estimate footprint and regime for so many layers, too"},
      {.name = "--context",
       .short_name = "",
       .value = "N",
       .help = "of a model: tokens whose keys and values are kept (default: 2048)"},
      {.name = "--prompt",
       .short_name = "",
       .value = "N",
       .help = "of a model: tokens that come in together (default: all of the context)"},
      {.name = "--batch", .short_name = "", .value = "N", .help = "of a model: sequences (default: 1)"},
      {.name = "--weights",
       .short_name = "",
       .value = "FORMAT",
       .help = "of a model: numbers of the weights (default: mxfp8/8)"},
      {.name = "--kv",
       .short_name = "",
       .value = "FORMAT",
       .help = "of a model: numbers of keys and values (default: mxfp8/8)"},
      {.name = "--out",
       .short_name = "-o",
       .value = "FILE",
       .help =
           "where to write the manifest (default: weight_manifest.json in a build directory, else nowhere)"}};
  for (OptionSpec& option : print_option_specs()) options.push_back(std::move(option));
  return options;
}

}  // namespace

Command manifest_command() {
  return {.name = "manifest",
          .summary = "which bytes of a board's memory hold weights, keys and values, activations",
          .description =
              "Makes a weight manifest of a build directory (hbm_addrs.json and the files beside it) or "
              "straight of a model, or checks one that is there. Says how large weights, keys and values and "
              "activations are, and whether they fit the board: resident, kv-swap or weight-stream.",
          .examples = {"accelscope manifest build/clm60m --board nexys_video",
                       "accelscope manifest build/clm60m --board nexys_video --total-layers 8",
                       "accelscope manifest smolvlm2 --board custom_a7 --context 4096 -o smolvlm2.json",
                       "accelscope manifest weight_manifest.json --ddr-capacity 256M"},
          .positionals = {{.name = "IN", .help = "a build directory, a model's name or file, or a manifest"}},
          .options = manifest_option_specs(),
          .run = run_manifest};
}

}  // namespace accelscope::cli
