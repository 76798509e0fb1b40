#include "cli/analysis_arguments.h"

#include <fmt/core.h>
#include <unistd.h>

#include <charconv>

#include "base/output.h"
#include "cli/open_arguments.h"
#include "cli/terminal.h"
#include "findings/findings_json.h"
#include "report/markdown.h"
#include "report/text.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Result;

Result<double> parse_number(std::string_view option, std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number >= 0 && number < 1e9))
    return base::fail(ErrorCode::kUsage, "{} {}: expected a number from zero up", option, text);
  return number;
}

std::string_view without_ending(std::string_view text, std::string_view ending) {
  if (text.ends_with(ending)) text.remove_suffix(ending.size());
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Sets `value` when the option was given.
base::Status take_percent(const Arguments& arguments, std::string_view option, double scale, double& value) {
  const std::optional<std::string> text = arguments.value(option);
  if (!text) return {};
  ACCELSCOPE_TRY(const double fraction, parse_percent(option, *text));
  value = fraction * scale;
  return {};
}

}  // namespace

std::vector<std::string> split_list(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::vector<std::string> listed(const Arguments& arguments, std::string_view option) {
  std::vector<std::string> words;
  for (const std::string& list : arguments.all(option))
    for (std::string& word : split_list(list)) words.push_back(std::move(word));
  return words;
}

Result<double> parse_percent(std::string_view option, std::string_view text) {
  ACCELSCOPE_TRY(const double percent, parse_number(option, without_ending(text, "%")));
  return percent / 100;
}

std::vector<OptionSpec> analysis_option_specs() {
  std::vector<OptionSpec> options{
      {.name = "--baseline",
       .short_name = "",
       .value = "NAME",
       .help = "the experiment that others are compared with"},
      {.name = "--candidate",
       .short_name = "",
       .value = "NAME",
       .help = "the experiment that is compared with it"},
      {.name = "--allow-thread-mismatch",
       .short_name = "",
       .value = "",
       .help = "compare experiments with different thread counts all the same"},
      {.name = "--threshold",
       .short_name = "",
       .value = "PERCENT",
       .help = "the smallest change of latency that matters (default: 2%)"},
      {.name = "--operator-threshold",
       .short_name = "",
       .value = "PERCENT",
       .help = "operators above this share of the time are bottlenecks (default: 5%)"},
      {.name = "--data-movement-threshold",
       .short_name = "",
       .value = "PERCENT",
       .help = "data movement above this share is a bottleneck (default: 10%)"},
      {.name = "--outside-threshold",
       .short_name = "",
       .value = "PERCENT",
       .help = "operators outside delegates above this share are bottlenecks (default: 5%)"},
      {.name = "--low-speedup",
       .short_name = "",
       .value = "X",
       .help = "GEMM and convolution below this speedup are looked into (default: 3)"},
      {.name = "--title", .short_name = "", .value = "TEXT", .help = "title of the report"}};
  for (OptionSpec& option : open_option_specs()) options.push_back(std::move(option));
  return options;
}

Result<jobs::ReportInputOptions> analysis_options(const Arguments& arguments) {
  jobs::ReportInputOptions options;
  options.inputs = arguments.positionals;
  ACCELSCOPE_TRY(options.open, open_options(arguments));
  options.roles.baseline = arguments.value("--baseline").value_or("");
  options.roles.candidate = arguments.value("--candidate").value_or("");
  options.roles.allow_thread_mismatch = arguments.flag("--allow-thread-mismatch");
  options.title = arguments.value("--title").value_or("");
  options.notes = arguments.value("--notes").value_or("");
  ACCELSCOPE_CHECK(take_percent(arguments, "--threshold", 1, options.compare.statistics.threshold));
  analysis::Thresholds& thresholds = options.thresholds;
  ACCELSCOPE_CHECK(take_percent(arguments, "--operator-threshold", 100, thresholds.operator_percent));
  ACCELSCOPE_CHECK(
      take_percent(arguments, "--data-movement-threshold", 100, thresholds.data_movement_percent));
  ACCELSCOPE_CHECK(take_percent(arguments, "--outside-threshold", 100, thresholds.outside_percent));
  if (const std::optional<std::string> text = arguments.value("--low-speedup")) {
    ACCELSCOPE_TRY(thresholds.low_speedup, parse_number("--low-speedup", without_ending(*text, "x")));
  }
  return options;
}

std::vector<OptionSpec> print_option_specs() {
  return {{.name = "--json",
           .short_name = "",
           .value = "",
           .help = "print findings as JSON (docs/findings.schema.json) instead of text"},
          {.name = "--markdown", .short_name = "", .value = "", .help = "print Markdown instead of text"}};
}

base::Status print_findings(const findings::Findings& findings, const Arguments& arguments) {
  if (arguments.flag("--json") && arguments.flag("--markdown"))
    return base::fail(ErrorCode::kUsage, "--json and --markdown exclude each other");
  base::DescriptorOutput output(STDOUT_FILENO, "standard output");
  if (arguments.flag("--json"))
    findings::write_json(findings, output);
  else if (arguments.flag("--markdown"))
    report::write_markdown(findings, output);
  else
    report::write_text(findings, {.style = style_for(stdout)}, output);
  return output.flush();
}

}  // namespace accelscope::cli
