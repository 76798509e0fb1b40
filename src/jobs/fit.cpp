#include "jobs/fit.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/date.h"
#include "base/human.h"
#include "boards/board_file.h"
#include "boards/model_file.h"
#include "boards/settings_file.h"
#include "findings/columns.h"
#include "fit/document.h"
#include "fit/reference_document.h"

namespace accelscope::jobs {
namespace {

using accelscope::fit::FitCase;
using accelscope::fit::Machine;
using base::ErrorCode;
using base::Result;
using boards::Board;
using boards::Model;
using findings::Findings;

constexpr std::uint64_t kMostPoints = 1'000'000;
constexpr std::size_t kMostCases = 10'000;

std::vector<std::string> names_of(std::span<const base::EmbeddedFile> presets) {
  std::vector<std::string> names;
  for (const base::EmbeddedFile& preset : presets) names.emplace_back(preset.name);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> with_all(const std::vector<std::string>& wanted,
                                  std::span<const base::EmbeddedFile> presets) {
  std::vector<std::string> names;
  for (const std::string& name : wanted) {
    const std::vector<std::string> more = name == "*" ? names_of(presets) : std::vector<std::string>{name};
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

template <class Item, class Load>
Result<std::vector<Item>> load_all(const std::vector<std::string>& names, Load load) {
  std::vector<Item> items;
  for (const std::string& name : names) {
    ACCELSCOPE_TRY(Item item, load(name));
    items.push_back(std::move(item));
  }
  return items;
}

struct LoadedSettings {
  boards::Settings settings;
  std::vector<std::string> remarks;
};

Result<LoadedSettings> settings_at(const std::string& path) {
  if (path.empty()) return LoadedSettings{boards::default_settings(), {}};
  ACCELSCOPE_TRY(boards::ReadSettings read, boards::load_settings(path));
  return LoadedSettings{std::move(read.settings), std::move(read.remarks)};
}

void finish(Findings& findings, const std::string& version, const LoadedSettings& settings) {
  for (const std::string& remark : settings.remarks) {
    trace::QualityRow row;
    row.id = "fit.settings";
    row.sentence = remark;
    findings.quality.add(std::move(row));
  }
  findings.provenance.version = version;
  findings.provenance.generated_at = base::iso_date(base::report_time());
}

// A failure of one among several is a note in its row.
Result<FitCase> case_of(const Model& model, const Board& board, const boards::SettingsTree& settings,
                        const FitJobOptions& options) {
  FitCase one;
  one.model = model;
  one.board = board;
  ACCELSCOPE_TRY(one.machine, accelscope::fit::machine_of(board, settings, options.overrides));
  ACCELSCOPE_TRY(one.workload, accelscope::fit::workload_for(model, options.wish));
  ACCELSCOPE_TRY(one.fit, accelscope::fit::fit_model(model, one.machine, one.workload));
  return one;
}

Result<Findings> fit_cases(const FitJobOptions& options, const LoadedSettings& settings) {
  ACCELSCOPE_TRY(const auto models,
                 load_all<Model>(with_all(options.models, boards::model_presets()), boards::load_model));
  ACCELSCOPE_TRY(const auto boards,
                 load_all<Board>(with_all(options.boards, boards::board_presets()), boards::load_board));
  if (models.size() * boards.size() > kMostCases)
    return base::fail(ErrorCode::kUsage,
                      "{} models on {} boards are more than {} combinations; --sweep takes more",
                      models.size(), boards.size(), base::format_count(kMostCases));
  const boards::SettingsTree& tree = settings.settings.transactional;
  const bool only = models.size() * boards.size() == 1;
  std::vector<FitCase> cases;
  for (const Model& model : models) {
    for (const Board& board : boards) {
      Result<FitCase> one = case_of(model, board, tree, options);
      if (!one && only) return tl::unexpected(std::move(one).error());
      if (!one) {
        FitCase failed;
        failed.model = model;
        failed.board = board;
        failed.failure = one.error().message;
        one = std::move(failed);
      }
      cases.push_back(std::move(*one));
    }
  }
  // Other boards, for advice: those that are part of the program, and only where nothing was said of this
  // one.
  std::vector<Machine> others;
  if (only && !options.overrides.capacity && !options.overrides.bandwidth && !options.overrides.clock)
    for (const std::string& name : names_of(boards::board_presets())) {
      ACCELSCOPE_TRY(const Board board, boards::load_board(name));
      if (auto machine = accelscope::fit::machine_of(board, tree, options.overrides))
        others.push_back(std::move(*machine));
    }
  return accelscope::fit::fit_document(cases, others);
}

// What a sweep has as a dimension need not be given besides, and what it has not must be one.
Result<std::vector<std::string>> names_for(std::string_view dimension, const base::Sweep& sweep,
                                           const std::vector<std::string>& wanted,
                                           std::span<const base::EmbeddedFile> presets) {
  for (const base::SweepDimension& one : sweep.dimensions) {
    if (one.name != dimension) continue;
    if (!wanted.empty())
      return base::fail(ErrorCode::kUsage, "the sweep has a dimension {0}, so that no {0} is given besides",
                        dimension);
    return one.values;
  }
  std::vector<std::string> names = with_all(wanted, presets);
  if (names.size() != 1)
    return base::fail(ErrorCode::kUsage, "a sweep needs one {0}, or {0}=... as a dimension; {1} were given",
                      dimension, names.size());
  return names;
}

Result<Findings> fit_sweep(const FitJobOptions& options, const LoadedSettings& settings) {
  const auto kinds =
      accelscope::fit::sweep_kinds(names_of(boards::model_presets()), names_of(boards::board_presets()));
  ACCELSCOPE_TRY(base::Sweep sweep, base::parse_sweep(options.sweep, kinds, kMostPoints));
  ACCELSCOPE_TRY(const auto model_names, names_for("model", sweep, options.models, boards::model_presets()));
  ACCELSCOPE_TRY(const auto board_names, names_for("board", sweep, options.boards, boards::board_presets()));
  ACCELSCOPE_TRY(auto models, load_all<Model>(model_names, boards::load_model));
  ACCELSCOPE_TRY(auto boards, load_all<Board>(board_names, boards::load_board));
  ACCELSCOPE_TRY(const auto plan, accelscope::fit::plan_sweep(
                                      std::move(sweep), std::move(models), std::move(boards),
                                      {settings.settings.transactional, options.overrides, options.wish}));
  const base::Shard shard = options.shard.value_or(base::Shard{});
  Findings findings = accelscope::fit::sweep_document(plan, shard, accelscope::fit::run_sweep(plan, shard));
  findings.provenance.options.push_back({"sweep", options.sweep});
  findings.provenance.options.push_back({"shard", fmt::format("{}/{}", shard.index + 1, shard.count)});
  return findings;
}

}  // namespace

Result<Findings> fit(const FitJobOptions& options) {
  ACCELSCOPE_TRY(const LoadedSettings settings, settings_at(options.settings));
  ACCELSCOPE_TRY(Findings findings,
                 options.sweep.empty() ? fit_cases(options, settings) : fit_sweep(options, settings));
  finish(findings, options.version, settings);
  return findings;
}

Result<Findings> fit_by_reference(const ReferenceFitOptions& options) {
  ACCELSCOPE_TRY(const LoadedSettings settings, settings_at(options.settings));
  ACCELSCOPE_TRY(const Model model, boards::load_model(options.model));
  accelscope::fit::ReferenceWorkload workload{
      .batch = options.batch, .input_tokens = options.prompt, .output_tokens = options.output_tokens};
  if (options.steps) workload.diffusion_steps = *options.steps;
  ACCELSCOPE_TRY(Findings findings, accelscope::fit::reference_analysis(model, settings.settings, workload));
  finish(findings, options.version, settings);
  return findings;
}

Result<Findings> fit_list(const std::string& version) {
  Findings findings{.kind = "fit list", .title = "Models and boards that are part of the program"};
  findings::Table models{
      .id = "models",
      .columns = {findings::text_column("model", "Model"), findings::text_column("id", "Published as"),
                  findings::count_column("layers", "Layers"), findings::count_column("hidden", "Hidden"),
                  findings::number_column("parameters", "Parameters", "M", 1)}};
  for (const std::string& name : names_of(boards::model_presets())) {
    ACCELSCOPE_TRY(const Model model, boards::load_model(name));
    ACCELSCOPE_TRY(const auto weights, accelscope::fit::weights_of(model, boards::kPlenaMx));
    models.rows.push_back({name, model.id, static_cast<std::int64_t>(model.text.layers.size()),
                           static_cast<std::int64_t>(model.text.hidden),
                           static_cast<double>(weights.all_elements) * 1e-6});
  }
  findings::Table board_table{
      .id = "boards",
      .columns = {findings::text_column("board", "Board"), findings::text_column("memory", "Memory"),
                  findings::text_column("bandwidth", "Bandwidth"), findings::text_column("link", "Host link"),
                  findings::text_column("description", "What it is")}};
  for (const std::string& name : names_of(boards::board_presets())) {
    ACCELSCOPE_TRY(const Board board, boards::load_board(name));
    const auto capacity = board.memory.capacity();
    const auto bandwidth = board.memory.bandwidth();
    board_table.rows.push_back(
        {name, capacity ? base::format_size(*capacity) : std::string("-"),
         bandwidth ? base::format_rate(*bandwidth) : std::string("-"),
         board.host_link ? base::format_rate(board.host_link->bandwidth) : std::string("-"),
         board.description});
  }
  findings::add_section(findings, "models", "Models").tables.push_back(std::move(models));
  findings::add_section(findings, "boards", "Boards").tables.push_back(std::move(board_table));
  findings.provenance.version = version;
  findings.provenance.generated_at = base::iso_date(base::report_time());
  return findings;
}

}  // namespace accelscope::jobs
