#include "jobs/run_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "accelscope/dfx_flags.h"
#include "base/closest_name.h"
#include "base/output_file.h"
#include "device/chip_file.h"
#include "device/core_list.h"
#include "device/cost_file.h"
#include "device/drain_files.h"
#include "device/pmu_events.h"
#include "jobs/run_document.h"
#include "jobs/run_exports.h"
#include "runtime/buffer_content.h"
#include "runtime/generators.h"
#include "runtime/graph_check.h"
#include "runtime/graph_file.h"

namespace accelscope::jobs {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;
using runtime::Graph;
using runtime::GraphFile;
using runtime::KernelRegistry;
using runtime::Platform;

Result<KernelRegistry> load_kernels(const std::vector<std::string>& libraries) {
  KernelRegistry kernels = KernelRegistry::with_builtins();
  for (const std::string& library : libraries) ACCELSCOPE_CHECK(kernels.add_library(library));
  return kernels;
}

// A word that is neither a file nor looks like one was meant to be a graph that can be made.
tl::unexpected<base::Error> no_such_graph(const std::string& text) {
  std::vector<std::string_view> names;
  for (const runtime::GeneratorFacts& generator : runtime::generators()) names.push_back(generator.name);
  const std::string_view word = std::string_view(text).substr(0, text.find(':'));
  return base::fail(ErrorCode::kUsage, "there is neither a file nor a graph called '{}'{}; graphs are {}",
                    text, base::suggestion(word, names), fmt::join(names, ", "));
}

Result<GraphFile> load_graph(const RunGraphOptions& options, const KernelRegistry& kernels) {
  const runtime::KnownKernels known{.find = [&](std::string_view name) { return kernels.find(name); },
                                    .names = kernels.names()};
  const std::string& text = options.graph;
  if (options.graph_json) return runtime::parse_graph(text, *options.graph_json, known);
  std::error_code ignored;
  if (runtime::names_generator(text) && !std::filesystem::exists(text, ignored)) {
    ACCELSCOPE_TRY(Graph graph, runtime::generate(text));
    return GraphFile{.graph = std::move(graph)};
  }
  if (text.find_first_of("./") == std::string::npos && !std::filesystem::exists(text, ignored))
    return no_such_graph(text);
  return runtime::read_graph_file(text, known);
}

// What the user said, else the graph's file, else the usual.
template <class T, class Said>
T chosen(const std::optional<Said>& said, const std::optional<T>& in_file, T otherwise) {
  return said ? static_cast<T>(*said) : in_file.value_or(otherwise);
}

Result<std::uint64_t> flags_of(const RunGraphOptions& options, const runtime::RunDefaults& defaults) {
  const auto in_file =
      defaults.chip_swimlane ? std::optional<int>(static_cast<int>(*defaults.chip_swimlane)) : std::nullopt;
  const int level = chosen(options.chip_swimlane, in_file, 0);
  if (!is_chip_swimlane_level(level))
    return base::fail(ErrorCode::kUsage, "there is no chip swimlane level {}: 0 to {}", level,
                      kMaxChipSwimlaneLevel);
  std::uint64_t flags = dfx_flags_of_level(level);
  if (chosen(options.dump_tensor, defaults.dump_tensor, false)) flags |= kDfxDumpTensor;
  if (chosen(options.deps, defaults.deps, false)) flags |= kDfxDependencyCapture;
  if (chosen(options.scope_stats, defaults.scope_stats, false)) flags |= kDfxScopeStats;
  if (options.pmu || defaults.pmu) flags |= kDfxPmu;
  if (options.core_swimlane) flags |= kDfxCoreSwimlane;
  return flags;
}

Result<runtime::CoreSwimlaneOptions> core_swimlane_of(const RunGraphOptions& options,
                                                      const device::Chip& chip) {
  runtime::CoreSwimlaneOptions made;
  if (!options.core_swimlane) return made;
  const CoreSwimlaneRequest& request = *options.core_swimlane;
  made.ring_bytes = request.ring_bytes;
  made.states = request.states;
  made.marks = request.marks;
  made.drain = request.drain;
  made.raw_folder = request.raw_folder;
  made.functions = request.functions;
  if (!request.cores.empty()) {
    ACCELSCOPE_TRY(made.cores, device::parse_core_list(request.cores, chip.cores()));
  }
  return made;
}

// Everything that is known before the first round.
struct Plan {
  KernelRegistry kernels;
  GraphFile file = {};
  device::Chip chip = {};
  device::Costs costs = {};
  CallConfig config = {};
  Platform platform = Platform::kVirtual;
  capture::RunPolicy policy = capture::RunPolicy::kBlock;
  std::optional<std::uint32_t> pmu = {};
  runtime::CoreSwimlaneOptions core_swimlane = {};
  std::uint32_t rounds = 1;
};

Status check_config(const RunGraphOptions& options, CallConfig& config) {
  if (!set_output_prefix(config, options.folder.c_str()))
    return base::fail(ErrorCode::kUsage, "the name of the folder is longer than {} bytes",
                      kCallConfigPrefixBytes - 1);
  const CallConfigError error = validate(config);
  if (error == CallConfigError::kNoOutputPrefix)
    return base::fail(ErrorCode::kUsage, "something is to be recorded, and there is no folder for it");
  if (error != CallConfigError::kNone) return base::fail(ErrorCode::kUsage, "{}", text_of(error));
  return {};
}

Status check_pmu(const std::optional<std::uint32_t>& pmu, const device::Chip& chip) {
  if (!pmu) return {};
  const auto groups = device::pmu_groups(chip.pmu_family);
  if (std::any_of(groups.begin(), groups.end(), [&](const auto& group) { return group.type == *pmu; }))
    return {};
  std::vector<std::string> known;
  for (const device::PmuGroup& group : groups)
    known.push_back(fmt::format("{} ({})", group.type, group.name));
  return base::fail(ErrorCode::kUsage, "chip {} has no group {} of counters; it has {}", chip.name, *pmu,
                    fmt::join(known, ", "));
}

Result<Plan> make_plan(const RunGraphOptions& options) {
  Plan plan;
  ACCELSCOPE_TRY(plan.kernels, load_kernels(options.kernels));
  ACCELSCOPE_TRY(plan.file, load_graph(options, plan.kernels));
  const runtime::RunDefaults& defaults = plan.file.run;
  ACCELSCOPE_TRY(plan.chip, device::load_chip(chosen(options.chip, defaults.chip, std::string("a2a3"))));
  ACCELSCOPE_TRY(plan.costs, device::load_costs(options.costs));
  plan.platform = chosen(options.platform, defaults.platform, plan.platform);
  plan.rounds = chosen(options.rounds, defaults.rounds, std::uint32_t{1});
  if (plan.rounds == 0) return base::fail(ErrorCode::kUsage, "a graph runs at least once, not 0 times");
  plan.config = options.config;
  ACCELSCOPE_TRY(plan.config.dfx_flags, flags_of(options, defaults));
  ACCELSCOPE_CHECK(check_config(options, plan.config));
  plan.pmu = options.pmu ? options.pmu : defaults.pmu;
  ACCELSCOPE_CHECK(check_pmu(plan.pmu, plan.chip));
  ACCELSCOPE_TRY(plan.core_swimlane, core_swimlane_of(options, plan.chip));
  // The reader of graphs knows which there are.
  plan.policy = chosen(options.policy, defaults.policy, plan.policy);
  return plan;
}

std::string folder_of_round(const std::string& folder, const Plan& plan, std::uint32_t round) {
  return plan.rounds == 1 ? folder : fmt::format("{}/round-{}", folder, round);
}

// Drains of an earlier run would be taken for this one's.
Result<std::string> make_raw_folder(const RunGraphOptions& options, const Plan& plan, std::uint32_t round) {
  if (plan.core_swimlane.raw_folder.empty()) return std::string();
  const std::string folder = folder_of_round(plan.core_swimlane.raw_folder, plan, round);
  ACCELSCOPE_CHECK(base::make_folder(folder));
  if (!device::has_drains(folder)) return folder;
  if (!options.replace)
    return base::fail_at(base::Location::of_file(folder), ErrorCode::kWriteFailed,
                         "has drains of performance monitors, which were not to be replaced");
  ACCELSCOPE_CHECK(device::remove_drains(folder));
  return folder;
}

runtime::RunOptions run_options(const RunGraphOptions& options, const Plan& plan, const std::string& folder,
                                const std::string& raw_folder) {
  runtime::RunOptions run{.platform = plan.platform, .dfx_flags = plan.config.dfx_flags};
  run.recording.path = folder.empty() ? "" : fmt::format("{}/{}", folder, kRecordingName);
  run.recording.replace = options.replace;
  run.recording.options.policy = plan.policy;
  run.recording.facts.policy = capture::name_of(plan.policy);
  if (plan.pmu) run.pmu_group = *plan.pmu;
  run.core_swimlane = plan.core_swimlane;
  run.core_swimlane.raw_folder = raw_folder;
  for (std::size_t ring = 0; ring < runtime::kRings; ++ring) {
    runtime::RingSizes& sizes = run.rings[ring];
    if (plan.config.ring_task_window[ring] != 0) sizes.task_window = plan.config.ring_task_window[ring];
    if (plan.config.ring_heap[ring] != 0) sizes.heap_bytes = plan.config.ring_heap[ring];
    if (plan.config.ring_dep_pool[ring] != 0) sizes.dependency_pool = plan.config.ring_dep_pool[ring];
  }
  run.run_kernels = options.compute;
  run.in_process = options.in_process;
  if (options.give_up_after) run.no_progress_limit = *options.give_up_after;
  run.stop = options.stop;
  return run;
}

std::vector<CheckedOutput> check_outputs(const Graph& graph, const runtime::RunOutcome& run) {
  std::vector<CheckedOutput> checked;
  for (const runtime::Expectation& expectation : graph.expectations) {
    const runtime::Buffer& buffer = graph.buffers[expectation.view.buffer];
    const runtime::Comparison comparison =
        runtime::compare(expectation, buffer.type, run.buffers[expectation.view.buffer]);
    checked.push_back({.buffer = buffer.name,
                       .compared = comparison.compared,
                       .differing = comparison.differing,
                       .text = comparison.differing == 0
                                   ? std::string()
                                   : runtime::in_words(comparison, expectation, buffer.name)});
  }
  return checked;
}

bool all_equal(const std::vector<CheckedOutput>& outputs) {
  return std::all_of(outputs.begin(), outputs.end(),
                     [](const CheckedOutput& output) { return output.differing == 0; });
}

Result<std::string> make_folder(const RunGraphOptions& options, const Plan& plan, std::uint32_t round) {
  if (plan.config.dfx_flags == 0) return std::string();
  const std::string folder = folder_of_round(options.folder, plan, round);
  ACCELSCOPE_CHECK(base::make_folder(folder));
  return folder;
}

Result<RunRound> finish_round(const RunGraphOptions& options, const Plan& plan,
                              const runtime::RunOutcome& run, const std::string& folder) {
  RunRound round{.makespan_us = static_cast<double>(run.makespan.value) / 1e6, .folder = folder};
  for (const capture::LaneReport& lane : run.recording.report.lanes) {
    round.produced += lane.produced;
    round.collected += lane.collected;
  }
  if (folder.empty()) return round;
  ACCELSCOPE_CHECK(run.recording.file);
  ACCELSCOPE_TRY(round.files, write_run_files({.folder = folder,
                                               .dfx_flags = plan.config.dfx_flags,
                                               .graph = plan.file.graph.name,
                                               .raw = options.raw}));
  return round;
}

}  // namespace

bool RunGraphOutcome::as_expected() const {
  return all_equal(outputs);
}

Result<RunGraphOutcome> run_graph(const RunGraphOptions& options) {
  ACCELSCOPE_TRY(Plan made, make_plan(options));
  auto kept = std::make_unique<const Plan>(std::move(made));
  const Plan& plan = *kept;
  RunGraphOutcome outcome;
  runtime::RunOutcome last;
  for (std::uint32_t round = 1; round <= plan.rounds && !outcome.fault; ++round) {
    if (options.progress) options.progress(round, plan.rounds);
    ACCELSCOPE_TRY(const std::string folder, make_folder(options, plan, round));
    ACCELSCOPE_TRY(const std::string raw_folder, make_raw_folder(options, plan, round));
    ACCELSCOPE_TRY(last, runtime::run(plan.file.graph, plan.kernels, plan.chip, plan.costs,
                                      run_options(options, plan, folder, raw_folder)));
    // A kernel that never came back may still look at the graph.
    if (last.left_behind > 0) static_cast<void>(kept.release());
    outcome.fault = last.fault;
    ACCELSCOPE_TRY(RunRound finished, finish_round(options, plan, last, folder));
    outcome.rounds.push_back(std::move(finished));
    if (options.compute && !outcome.fault && outcome.as_expected())
      outcome.outputs = check_outputs(plan.file.graph, last);
  }
  outcome.findings = run_document({.graph = plan.file.graph,
                                   .chip = plan.chip,
                                   .platform = plan.platform,
                                   .dfx_flags = plan.config.dfx_flags,
                                   .policy = plan.policy,
                                   .version = options.version,
                                   .last = last,
                                   .outcome = outcome});
  return outcome;
}

}  // namespace accelscope::jobs
