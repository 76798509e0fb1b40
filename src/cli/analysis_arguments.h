// Options of the verbs that analyse recordings, and how they become the options of the jobs.
//
// Pure functions over the parsed words.
//
//   ACCELSCOPE_TRY(const jobs::ReportInputOptions options, analysis_options(arguments));
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "findings/findings.h"
#include "jobs/report_input.h"

namespace accelscope::cli {

// Roles, thresholds, title, notes, and those of opening files.
std::vector<OptionSpec> analysis_option_specs();
base::Result<jobs::ReportInputOptions> analysis_options(const Arguments& arguments);

// "a,b" as its parts; empty ones are left out.
std::vector<std::string> split_list(const std::string& list);
// All words of an option that may be repeated, and whose values may be lists with commas.
std::vector<std::string> listed(const Arguments& arguments, std::string_view option);

// "3%", "3 %" or "3": a percentage, as a fraction.
base::Result<double> parse_percent(std::string_view option, std::string_view text);

// --json and --markdown: how findings are printed.
std::vector<OptionSpec> print_option_specs();
// To standard output: for people unless the options say otherwise.
base::Status print_findings(const findings::Findings& findings, const Arguments& arguments);

}  // namespace accelscope::cli
