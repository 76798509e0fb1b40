#include <fmt/format.h>

#include "base/human.h"
#include "base/number_in.h"
#include "base/output_file.h"
#include "cli/analysis_arguments.h"
#include "cli/failure.h"
#include "cli/verbs.h"
#include "jobs/fit.h"
#include "report/table_csv.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;

constexpr std::uint64_t kMostTokens = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostBuffers = 1024;

// Sets `value` when the option was given.
template <class Value>
Status take_count(const Arguments& arguments, std::string_view option, std::uint64_t most, Value& value,
                  std::uint64_t least = 1) {
  const std::optional<std::string> text = arguments.value(option);
  if (!text) return {};
  const auto number = base::number_in<std::uint64_t>(*text);
  if (!number || *number < least || *number > most)
    return base::fail(ErrorCode::kUsage, "{} {}: expected a whole number from {} to {}", option, *text, least,
                      most);
  value = static_cast<std::conditional_t<std::is_integral_v<Value>, Value, std::uint64_t>>(*number);
  return {};
}

template <class Value, class Parse>
Status take_quantity(const Arguments& arguments, std::string_view option, std::string_view expected,
                     Parse parse, std::optional<Value>& value, std::int64_t least = 1) {
  const std::optional<std::string> text = arguments.value(option);
  if (!text) return {};
  const auto parsed = parse(*text);
  if (!parsed || parsed->value < least)
    return base::fail(ErrorCode::kUsage, "{} {}: expected {}", option, *text, expected);
  value = *parsed;
  return {};
}

Status take_format(const Arguments& arguments, std::string_view option,
                   std::optional<boards::NumberFormat>& value) {
  const std::optional<std::string> text = arguments.value(option);
  if (!text) return {};
  const auto format = boards::parse_number_format(*text);
  if (!format) return base::fail(ErrorCode::kUsage, "{}: {}", option, format.error().message);
  value = *format;
  return {};
}

Status take_clock(const Arguments& arguments, std::optional<base::Frequency>& value) {
  const std::optional<std::string> text = arguments.value("--clock-mhz");
  if (!text) return {};
  const auto clock = base::parse_frequency(*text + "MHz");
  if (!clock || !clock->known())
    return base::fail(ErrorCode::kUsage, "--clock-mhz {}: expected megahertz above zero, such as 100", *text);
  value = *clock;
  return {};
}

Status take_overrides(const Arguments& arguments, fit::Overrides& overrides) {
  constexpr std::uint64_t kMostLength = 1U << 20U;
  ACCELSCOPE_CHECK(take_count(arguments, "--mlen", kMostLength, overrides.mlen));
  ACCELSCOPE_CHECK(take_count(arguments, "--blen", kMostLength, overrides.blen));
  ACCELSCOPE_CHECK(take_count(arguments, "--vlen", kMostLength, overrides.vlen));
  ACCELSCOPE_CHECK(take_count(arguments, "--buffers", kMostBuffers, overrides.buffers));
  ACCELSCOPE_CHECK(take_quantity(arguments, "--capacity", "a size above zero, such as 512M", base::parse_size,
                                 overrides.capacity));
  ACCELSCOPE_CHECK(take_quantity(arguments, "--bandwidth", "a rate above zero, such as 1.5GB/s",
                                 base::parse_rate, overrides.bandwidth));
  ACCELSCOPE_CHECK(take_quantity(arguments, "--host-bandwidth", "a rate above zero, such as 1.5GB/s",
                                 base::parse_rate, overrides.host_bandwidth));
  ACCELSCOPE_CHECK(take_quantity(arguments, "--link-latency", "a time, such as 2us", base::parse_duration,
                                 overrides.link_latency, 0));
  constexpr base::Nanoseconds kLongestLatency{1'000'000'000'000};
  if (overrides.link_latency && *overrides.link_latency > kLongestLatency)
    return base::fail(ErrorCode::kUsage, "--link-latency {}: expected a time of 1000 s at most",
                      *arguments.value("--link-latency"));
  ACCELSCOPE_CHECK(take_clock(arguments, overrides.clock));
  ACCELSCOPE_CHECK(take_format(arguments, "--weights", overrides.weights));
  ACCELSCOPE_CHECK(take_format(arguments, "--kv", overrides.kv));
  ACCELSCOPE_CHECK(take_format(arguments, "--activations", overrides.activations));
  if (arguments.value("--costs") == "rtl") overrides.costs = fit::Costs::kRtl;
  for (const fit::Streaming way : {fit::Streaming::kStream, fit::Streaming::kSwap, fit::Streaming::kPinned})
    if (arguments.value("--streaming") == fit::name_of(way)) overrides.streaming = way;
  return {};
}

Status take_wish(const Arguments& arguments, fit::WorkloadWish& wish) {
  ACCELSCOPE_CHECK(take_count(arguments, "--context", kMostTokens, wish.context));
  ACCELSCOPE_CHECK(take_count(arguments, "--prompt", kMostTokens, wish.prompt));
  ACCELSCOPE_CHECK(take_count(arguments, "--output-tokens", kMostTokens, wish.output_tokens));
  ACCELSCOPE_CHECK(take_count(arguments, "--batch", kMostTokens, wish.batch));
  ACCELSCOPE_CHECK(take_count(arguments, "--images", kMostTokens, wish.images, 0));
  return take_count(arguments, "--diffusion-steps", kMostTokens, wish.steps);
}

Result<jobs::FitJobOptions> fit_options(const Arguments& arguments) {
  jobs::FitJobOptions options;
  options.version = ACCELSCOPE_VERSION;
  options.settings = arguments.value("--settings").value_or("");
  options.sweep = arguments.value("--sweep").value_or("");
  for (const std::string& list : arguments.positionals)
    for (std::string& model : split_list(list)) options.models.push_back(std::move(model));
  options.boards = listed(arguments, "--board");
  if (arguments.value("--sweep") && options.sweep.empty())
    return base::fail(ErrorCode::kUsage,
                      "--sweep: nothing to sweep; write for example \"mlen=64,128 board=*\"");
  if (const auto shard = arguments.value("--shard")) {
    if (options.sweep.empty()) return base::fail(ErrorCode::kUsage, "--shard is a part of a --sweep");
    ACCELSCOPE_TRY(options.shard, base::parse_shard(*shard));
  }
  ACCELSCOPE_CHECK(take_overrides(arguments, options.overrides));
  ACCELSCOPE_CHECK(take_wish(arguments, options.wish));
  if (!options.sweep.empty()) return options;
  if (options.models.empty())
    return base::fail(ErrorCode::kUsage,
                      "which model? `accelscope fit --list` shows those that are part of the program");
  if (options.boards.empty() && !arguments.value("--analytic"))
    return base::fail(ErrorCode::kUsage,
                      "--board is missing; `accelscope fit --list` shows those that are part of the program");
  return options;
}

Result<findings::Findings> analytic(const Arguments& arguments, const jobs::FitJobOptions& options) {
  if (!options.boards.empty())
    return base::fail(ErrorCode::kUsage,
                      "--board means nothing to --analytic reference, which knows no boards");
  for (const std::string_view other :
       {"--sweep", "--context", "--capacity", "--host-bandwidth", "--bandwidth", "--weights", "--kv",
        "--activations", "--mlen", "--blen", "--vlen", "--images"})
    if (arguments.value(other))
      return base::fail(
          ErrorCode::kUsage,
          "{} means nothing to --analytic reference, which knows the ANALYTIC tree of --settings, --batch, "
          "--prompt and --output-tokens",
          other);
  if (options.models.size() != 1)
    return base::fail(ErrorCode::kUsage, "--analytic reference takes one model, not {}",
                      options.models.size());
  jobs::ReferenceFitOptions reference{.model = options.models[0], .settings = options.settings};
  reference.version = options.version;
  ACCELSCOPE_CHECK(take_count(arguments, "--batch", kMostTokens, reference.batch));
  ACCELSCOPE_CHECK(take_count(arguments, "--prompt", kMostTokens, reference.prompt));
  ACCELSCOPE_CHECK(take_count(arguments, "--output-tokens", kMostTokens, reference.output_tokens));
  ACCELSCOPE_CHECK(take_count(arguments, "--diffusion-steps", kMostTokens, reference.steps));
  return jobs::fit_by_reference(reference);
}

// The table that has everything: of a sweep its points, else the fits.
Status write_table(const findings::Findings& findings, const std::string& path) {
  for (const std::string_view id : {"points", "fits"}) {
    const findings::Section* const section = findings::find_section(findings, id);
    const findings::Table* const table = section == nullptr ? nullptr : findings::find_table(*section, id);
    if (table != nullptr)
      return base::write_file(path, [&](base::Output& out) { report::write_csv(*table, out); });
  }
  return base::fail(ErrorCode::kUsage, "--csv: there is no table of fits to write");
}

Status run(const Arguments& arguments) {
  if (arguments.flag("--json") && arguments.flag("--markdown"))
    return base::fail(ErrorCode::kUsage, "--json and --markdown exclude each other");
  if (arguments.flag("--list")) {
    ACCELSCOPE_TRY(const findings::Findings list, jobs::fit_list(ACCELSCOPE_VERSION));
    return print_findings(list, arguments);
  }
  ACCELSCOPE_TRY(const jobs::FitJobOptions options, fit_options(arguments));
  ACCELSCOPE_TRY(const findings::Findings findings,
                 arguments.value("--analytic") ? analytic(arguments, options) : jobs::fit(options));
  const std::optional<std::string> csv = arguments.value("--csv");
  if (csv) ACCELSCOPE_CHECK(write_table(findings, *csv));
  if (csv == "-") return {};
  return print_findings(findings, arguments);
}

int run_fit(const Arguments& arguments) {
  if (const Status done = run(arguments); !done) return report_failure(done.error());
  return kExitOk;
}

}  // namespace

Command fit_command() {
  std::vector<OptionSpec> options{
      {.name = "--board",
       .short_name = "-b",
       .value = "BOARD",
       .help = "a board's name or file, or * for all that are part of the program; several also with commas",
       .repeatable = true},
      option("--list", "", "show the models and boards that are part of the program"),
      option("--context", "N", "tokens in the cache (default: prompt, images and output together)"),
      option("--batch", "N", "sequences at once (default: 1)"),
      option("--prompt", "N",
             "tokens of text that come in together (default: 512, or what the context leaves)"),
      option("--output-tokens", "N", "tokens that follow the prompt (default: 128)"),
      option("--images", "N", "pictures in the prompt of a model with a vision tower (default: 0)"),
      option("--diffusion-steps", "N", "steps of a diffusion model (default: 64)"),
      option("--weights", "FORMAT", "of weights, as bf16, mxfp8/8, mxfp4 (default: the board's)"),
      option("--kv", "FORMAT", "of keys and values (default: the settings')"),
      option("--activations", "FORMAT", "of activations in external memory (default: the board's)"),
      option("--mlen", "N", "side of a tile (default: the settings')"),
      option("--blen", "N", "side of a block (default: the settings')"),
      option("--vlen", "N", "length of a vector (default: MLEN if that is given, else the settings')"),
      option("--clock-mhz", "F", "clock of the accelerator (default: the board's)"),
      option("--capacity", "SIZE", "external memory (default: the board's)"),
      option("--bandwidth", "RATE", "of external memory (default: the board's)"),
      option("--host-bandwidth", "RATE", "of the link to the host (default: the board's)"),
      option("--link-latency", "TIME", "of every transfer over the link (default: the board's, else 0)"),
      option("--buffers", "D", "buffers between link and array (default: 2)"),
      option("--streaming", "WAY", "how weights come that do not fit (default: best)",
             {"best", "stream", "swap", "pinned"}),
      option("--costs", "WHOSE",
             "cycles of the emulator, or of the hardware description (default: reference)",
             {"reference", "rtl"}),
      option("--settings", "TOML", "a plena_settings.toml (default: the shipped one)"),
      option("--analytic", "MODEL", "what the reference's analytic models say instead", {"reference"}),
      option("--sweep", "SWEEP", "all combinations, as \"mlen=64,128 blen=4..64*2 board=*\""),
      option("--shard", "I/N", "only every N-th point of a sweep, beginning with the I-th"),
      option("--csv", "FILE", "also write the table as CSV; - for nothing else on standard output")};
  for (OptionSpec& print_option : print_option_specs()) options.push_back(std::move(print_option));
  return {
      .name = "fit",
      .summary = "whether a model fits a board, in which memory regime, and how fast",
      .description =
          "Works out, without running anything, what a model needs on a board: weights by part, keys and "
          "values, "
          "activations; the memory regime and the exact context and batch at which it changes; the time of a "
          "token and of a prompt, by compute, external memory and host link; what bounds it and what would "
          "make "
          "it faster. Several models and boards give one table, --sweep all combinations. What is assumed "
          "stands "
          "in the trust box; docs/fit.md derives every number.",
      .examples = {"accelscope fit smolvlm2 --board nexys_video",
                   "accelscope fit llama-3.1-8b --board v80 --context 8192 --batch 4 --weights mxfp4",
                   "accelscope fit smolvlm2,llama-3.2-1b --board '*' --csv fits.csv",
                   "accelscope fit smolvlm2 --board custom_a7 --capacity 128M --buffers 3",
                   "accelscope fit smolvlm2 --sweep \"mlen=64,128,256 blen=4..64*2 board=*\"",
                   "accelscope fit llama-3.1-8b --analytic reference", "accelscope fit --list"},
      .positionals = {{.name = "MODEL",
                       .help =
                           "a model's name or file, or * for all that are part of the program; several also "
                           "with commas",
                       .at_least = 0,
                       .at_most = kManyInputs}},
      .options = std::move(options),
      .run = run_fit};
}

}  // namespace accelscope::cli
