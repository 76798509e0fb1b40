#include "cli/kit_output.h"

#include <fmt/core.h>

#include "cli/failure.h"
#include "cli/open_arguments.h"
#include "jobs/kit.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Result;
using compat::KitFiles;

int name_files(const Result<KitFiles>& files) {
  if (!files) return report_failure(files.error());
  for (const std::string& path : files->written) fmt::print("{}\n", path);
  for (const std::string& reason : files->left_out) fmt::print(stderr, "not written: {}\n", reason);
  return kExitOk;
}

// The folder behind "mac=DIR"; "" when the platform is not named.
std::string folder_of(const std::vector<std::string>& words, std::string_view platform) {
  for (const std::string& word : words)
    if (word.size() > platform.size() && word.starts_with(platform) && word[platform.size()] == '=')
      return word.substr(platform.size() + 1);
  return {};
}

Result<KitFiles> report_files(const Arguments& arguments) {
  const std::string out = arguments.value("--out").value_or("");
  const std::string title = arguments.value("--title").value_or("");
  if (!arguments.flag("--combined")) {
    if (arguments.positionals.size() != 1)
      return base::fail(ErrorCode::kUsage, "--compat reports on one run directory at a time");
    return jobs::kit_report_file(arguments.positionals.front(), title, out);
  }
  const std::string mac = folder_of(arguments.positionals, "mac");
  const std::string android = folder_of(arguments.positionals, "android");
  if (mac.empty() && android.empty())
    return base::fail(ErrorCode::kUsage, "--compat --combined takes mac=DIR and android=DIR");
  return jobs::kit_combined_file(mac, android, title, out);
}

Result<KitFiles> view_files(jobs::View view, const Arguments& arguments) {
  ACCELSCOPE_TRY(const formats::open::OpenOptions open, open_options(arguments));
  const std::string out = arguments.value("--out").value_or("");
  if (view == jobs::View::kKernels)
    return jobs::kit_kernel_files(arguments.positionals, open, out,
                                  {.filter = arguments.value("--filter").value_or(""),
                                   .title = arguments.value("--title").value_or("")});
  return jobs::kit_recording_files(arguments.positionals, open, out);
}

}  // namespace

int write_kit_report_files(const Arguments& arguments) {
  return name_files(report_files(arguments));
}

int write_kit_comparison_files(const Arguments& arguments) {
  return name_files(jobs::kit_comparison_files(
      {.path = arguments.positionals[0], .name = arguments.value("--baseline").value_or("")},
      {.path = arguments.positionals[1], .name = arguments.value("--candidate").value_or("")},
      arguments.value("--out").value_or("")));
}

int print_kit_validation(const Arguments& arguments) {
  if (arguments.positionals.size() != 1)
    return report_failure({ErrorCode::kUsage, "--compat validates one run directory at a time", {}});
  const compat::KitValidation validation = compat::kit_validate(arguments.positionals.front());
  fmt::print("{}", validation.text);
  return validation.valid ? kExitOk : kExitFailure;
}

int write_kit_view_files(jobs::View view, const Arguments& arguments) {
  return name_files(view_files(view, arguments));
}

}  // namespace accelscope::cli
