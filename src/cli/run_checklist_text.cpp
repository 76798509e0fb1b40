#include "cli/run_checklist_text.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

#include "base/json_writer.h"
#include "cli/terminal.h"

namespace accelscope::cli {
namespace {

using jobs::CheckStatus;
using jobs::RunCheck;

constexpr std::size_t kLinesShown = 10;

std::string_view colour_of(CheckStatus status, const report::Style& style) {
  return status == CheckStatus::kFailed ? style.red : status == CheckStatus::kSkipped ? style.yellow : "";
}

void print_check(const RunCheck& check, const report::Style& style) {
  fmt::print("  {}{:<8}{} {}\n", colour_of(check.status, style), name_of(check.status), style.plain,
             check.what);
  for (std::size_t i = 0; i < std::min(check.found.size(), kLinesShown); ++i)
    fmt::print("           {}\n", check.found[i]);
  if (check.found.size() > kLinesShown)
    fmt::print("           ... {} more; --json lists all\n", check.found.size() - kLinesShown);
  if (!check.what_to_do.empty()) fmt::print("           To do: {}.\n", check.what_to_do);
}

}  // namespace

void print_run_checklist(const jobs::RunChecklist& list) {
  const report::Style style = style_for(stdout);
  fmt::print("{}{}{}\n", style.bold, list.directory, style.plain);
  for (const RunCheck& check : list.checks) print_check(check, style);
  const auto failed = std::count_if(list.checks.begin(), list.checks.end(), [](const RunCheck& check) {
    return check.status == CheckStatus::kFailed;
  });
  if (failed == 0)
    fmt::print("The run directory is complete.\n");
  else
    fmt::print("{} of {} checks failed.\n", failed, list.checks.size());
}

base::Status print_run_checklist_json(const jobs::RunChecklist& list) {
  base::DescriptorOutput out(STDOUT_FILENO, "standard output");
  base::JsonWriter json(out, base::JsonWriter::Style::kIndented);
  json.begin_object();
  json.member("schema", "accelscope.run_checklist/1")
      .member("run_directory", list.directory)
      .member("complete", list.complete());
  json.key("checks").begin_array();
  for (const RunCheck& check : list.checks) {
    json.begin_object();
    json.member("id", check.id).member("status", name_of(check.status)).member("what", check.what);
    json.key("found").begin_array();
    for (const std::string& line : check.found) json.value(line);
    json.end_array();
    json.member("what_to_do", check.what_to_do);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  out.append('\n');
  return out.flush();
}

}  // namespace accelscope::cli
