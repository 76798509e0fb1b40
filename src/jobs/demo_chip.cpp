#include "jobs/demo_chip.h"

#include <fmt/core.h>

#include "base/json_writer.h"
#include "base/output_file.h"
#include "formats/chip_swimlane/capture_writer.h"
#include "jobs/demo_chip_schedule.h"
#include "jobs/report.h"

namespace accelscope::jobs {
namespace {

using base::JsonWriter;
using base::Output;
using base::Result;
using base::Status;
using formats::deps::Dependencies;

void write_demo_dependencies(const Dependencies& dependencies, Output& output) {
  JsonWriter json(output);
  json.begin_object().key("tasks").begin_array();
  for (const formats::deps::Task& task : dependencies.tasks) {
    json.begin_object().member("task_id", fmt::format("{}", task.id)).member("scope", "auto");
    json.member("early_dispatch", false).key("kernel_ids").begin_array();
    for (const std::int32_t kernel : task.kernels) json.value(kernel);
    json.end_array().member("block_num", task.blocks).end_object();
  }
  json.end_array().key("tensors").begin_array().end_array().key("edges").begin_array();
  for (const formats::deps::Edge& edge : dependencies.edges) {
    const bool data = has_reason(edge.reasons, formats::deps::Reason::kTensorMap);
    json.begin_object().member("pred", fmt::format("{}", edge.from));
    json.member("succ", fmt::format("{}", edge.to)).member("source", data ? "tensormap" : "explicit");
    json.end_object();
  }
  json.end_array().end_object();
}

void write_names(Output& output) {
  JsonWriter json(output, JsonWriter::Style::kIndented);
  json.begin_object().member("level", 2).member("orchestrator_name", "decoder");
  json.key("callable_id_to_name").begin_object();
  for (std::size_t function = 0; function < kDemoChipFunctions.size(); ++function)
    json.member(fmt::format("{}", function), kDemoChipFunctions[function]);
  json.end_object().end_object();
}

// Returns the path of the swimlane.
Result<std::string> write_run(const std::string& folder, const DemoChipOptions& options) {
  ACCELSCOPE_CHECK(base::make_folder(folder));
  const DemoChipSchedule schedule = demo_chip_schedule(options);
  const std::string path = folder + "/chip_swimlane_records.json";
  ACCELSCOPE_CHECK(base::write_file(path, [&](Output& output) { write_capture(schedule.capture, output); }));
  ACCELSCOPE_CHECK(base::write_file(folder + "/deps.json", [&](Output& output) {
    write_demo_dependencies(schedule.dependencies, output);
  }));
  ACCELSCOPE_CHECK(base::write_file(folder + "/name_map_decoder.json", write_names));
  return path;
}

}  // namespace

Result<DemoChip> demo_chip(const DemoChipFolders& options) {
  DemoChip made;
  const std::string before = options.folder + "/before";
  ACCELSCOPE_TRY(made.before, write_run(before, {.slow_submission = true}));
  ACCELSCOPE_TRY(made.after, write_run(options.folder + "/after", {.slow_norm = true}));
  const std::string picture = options.folder + "/before.pftrace";
  ACCELSCOPE_TRY(ReportOutcome reported, report({.input = {.inputs = {made.before}},
                                                 .out = before + "/report.md",
                                                 .picture = picture,
                                                 .version = options.version}));
  made.report = std::move(reported.findings);
  made.files.push_back({before + "/report.md", "the report on the chip's run"});
  const std::string findings = before + "/findings.json";
  ACCELSCOPE_CHECK(write_json_file(made.report, findings));
  made.files.push_back({findings, "everything that report says, for programs"});
  made.files.push_back({picture, "the chip's run as a picture: open with https://ui.perfetto.dev"});
  return made;
}

}  // namespace accelscope::jobs
