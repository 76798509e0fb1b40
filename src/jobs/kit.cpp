#include "jobs/kit.h"

#include <fmt/core.h>

#include <filesystem>
#include <set>

#include "base/date.h"
#include "base/file_names.h"
#include "base/output_file.h"
#include "compat/kit_categories.h"
#include "compat/kit_host.h"
#include "compat/kit_kernels.h"
#include "jobs/roles.h"
#include "jobs/timeline_names.h"

namespace accelscope::jobs {
namespace {

using base::ErrorCode;
using base::Location;
using base::Result;
using base::Status;
using compat::KitFiles;
using trace::Trace;

Result<std::string> folder_for(const std::string& input, const std::string& folder) {
  if (folder.empty()) {
    const std::filesystem::path parent = std::filesystem::path(input).parent_path();
    return parent.empty() ? "." : parent.string();
  }
  ACCELSCOPE_CHECK(base::make_folder(folder));
  return folder;
}

void append(KitFiles& all, const KitFiles& more) {
  all.written.insert(all.written.end(), more.written.begin(), more.written.end());
  all.left_out.insert(all.left_out.end(), more.left_out.begin(), more.left_out.end());
}

Status write_kernels_csv(const Trace& log, const std::string& name, const std::string& path) {
  return base::write_file(path, [&](base::Output& output) {
    compat::write_kit_kernels_csv(output, compat::kit_kernels(log), name);
  });
}

}  // namespace

Result<KitFiles> kit_recording_files(const std::vector<std::string>& inputs,
                                     const formats::open::OpenOptions& open, const std::string& folder) {
  KitFiles all;
  for (const std::string& input : inputs) {
    ACCELSCOPE_TRY(const Trace trace, formats::open::open_trace(input, open));
    ACCELSCOPE_TRY(const std::string place, folder_for(input, folder));
    const std::string name = recording_name(input);
    ACCELSCOPE_TRY(const KitFiles files, compat::write_kit_files(trace, name, place, name, input));
    append(all, files);
  }
  return all;
}

Result<KitFiles> kit_comparison_files(const KitSide& first, const KitSide& second,
                                      const std::string& folder) {
  ACCELSCOPE_TRY(const std::string place, folder_for(first.path, folder));
  const auto name_of = [](const KitSide& side) {
    return side.name.empty() ? recording_name(side.path) : side.name;
  };
  ACCELSCOPE_TRY(KitFiles all, compat::write_kit_robust_comparison(first.path, second.path, place,
                                                                   name_of(first), name_of(second)));
  ACCELSCOPE_TRY(
      const KitFiles operators,
      compat::write_kit_operator_comparison(first.path, second.path, place, name_of(first), name_of(second)));
  append(all, operators);
  return all;
}

Result<KitFiles> kit_kernel_files(const std::vector<std::string>& inputs,
                                  const formats::open::OpenOptions& open, const std::string& folder,
                                  const KitKernelOptions& options) {
  KitFiles all;
  std::vector<Trace> logs;  // the kernels' names point into them
  logs.reserve(inputs.size());
  std::vector<compat::KitKernel> on;
  std::vector<compat::KitKernel> off;
  for (const std::string& input : inputs) {
    ACCELSCOPE_TRY(Trace trace, formats::open::open_trace(input, open));
    if (!is_kernel_log(trace))
      return base::fail_at(
          Location::of_file(input), ErrorCode::kUsage,
          "is no kernel log: --compat of kernels takes XNNPACK logs and kernels.csv files only");
    ACCELSCOPE_TRY(const std::string place, folder_for(input, folder));
    const std::string name = recording_name(input);
    const std::string path = fmt::format("{}/{}_kernels.csv", place, name);
    std::error_code ignored;
    logs.push_back(std::move(trace));
    if (!std::filesystem::equivalent(path, input, ignored)) {
      ACCELSCOPE_CHECK(write_kernels_csv(logs.back(), name, path));
      all.written.push_back(path);
    }
    std::vector<compat::KitKernel>& side = says_on(name).value_or(true) ? on : off;
    const std::vector<compat::KitKernel> kernels = compat::kit_kernels(logs.back());
    side.insert(side.end(), kernels.begin(), kernels.end());
  }
  if (on.empty() || off.empty()) {
    all.left_out.emplace_back("kernel_view.md: needs a log whose name says on and one whose name says off");
    return all;
  }
  ACCELSCOPE_TRY(const std::string place, folder_for(inputs.front(), folder));
  const std::string path = fmt::format("{}/kernel_view.md", place);
  compat::KitKernelView view;
  view.filter = options.filter;
  if (!options.title.empty()) view.title = options.title;
  ACCELSCOPE_CHECK(base::write_file(
      path, [&](base::Output& output) { compat::write_kit_kernel_view(output, on, off, view); }));
  all.written.push_back(path);
  return all;
}

Result<KitFiles> kit_report_file(const std::string& folder, const std::string& title,
                                 const std::string& out) {
  return compat::write_kit_report(folder, {.title = title,
                                           .generated = compat::kit_local_time(base::report_time()),
                                           .host = compat::kit_host(),
                                           .out = out});
}

Result<KitFiles> kit_combined_file(const std::string& mac, const std::string& android,
                                   const std::string& model, const std::string& out) {
  compat::KitCombinedOptions options{.generated = compat::kit_local_time(base::report_time()), .out = out};
  if (!model.empty()) options.model_name = model;
  return compat::write_kit_combined(mac, android, options);
}

void add_kit_categories(findings::Findings& findings) {
  std::set<std::string> names;
  for (const findings::Section& section : findings.sections)
    if (const findings::Table* table = findings::find_table(section, "operators"))
      for (const std::vector<findings::Cell>& row : table->rows)
        if (const auto* name = std::get_if<std::string>(&row.front())) names.insert(*name);
  findings::Section& section = findings::add_section(findings, "kit_categories", "The Kit's Categories");
  section.empty_hint = "No operator was recorded.";
  if (names.empty()) return;
  findings::Table table{
      .id = "categories",
      .columns = {{.id = "operator", .title = "Operator"},
                  {.id = "fine", .title = "Fine (analyze_etdump_csv)"},
                  {.id = "coarse", .title = "Coarse (generate_report)"}},
      .note = "As the kit sorts them, mistakes included; see the breakdown above for what they are."};
  for (const std::string& name : names)
    table.rows.push_back(
        {name, std::string(compat::kit_fine_category(name)), std::string(compat::kit_coarse_category(name))});
  section.tables.push_back(std::move(table));
}

}  // namespace accelscope::jobs
