#include "compat/kit_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/file_names.h"
#include "compat/python_text.h"

namespace accelscope::compat {
namespace {

constexpr double kBytesPerMegabyte = 1024.0 * 1024.0;

std::string heading(const KitReportFacts& facts) {
  const std::string model =
      facts.model_path.empty() ? "Unknown" : std::string(base::file_stem(facts.model_path));
  const std::string title = facts.title.empty() ? "Profiling Report: " + model : facts.title;
  return fmt::format("# {}\n\n**Generated**: {}\n\n\n", title, facts.generated);
}

std::string runner_lines(const KitRunner& runner) {
  std::string text = fmt::format("- **{}**:\n  - Relative path: `{}`\n", runner.experiment, runner.path);
  if (runner.status == KitRunner::Status::kUnresolved) return text;
  const bool exists = runner.status == KitRunner::Status::kExists;
  text += fmt::format("  - Full path: `{}`\n  - Status: {}\n", runner.full_path,
                      exists ? "✓ Executable" : "⚠️ Not found");
  if (exists && runner.bytes)
    text +=
        fmt::format("  - Size: {} MB\n", fixed(static_cast<double>(*runner.bytes) / kBytesPerMegabyte, 2));
  return text;
}

std::string metadata(const KitReportFacts& facts) {
  std::string text = "## Metadata\n\n";
  if (!facts.model_path.empty())
    text += fmt::format("- **Model**: `{}`\n- **Model Path**: `{}`\n", base::file_name(facts.model_path),
                        facts.model_path);
  text += fmt::format("- **Run Directory**: `{}`\n", facts.run_dir);
  if (!facts.config_path.empty()) text += fmt::format("- **Config File**: `{}`\n", facts.config_path);
  if (!facts.runners.empty()) text += "\n### Runner Paths\n\n";
  for (const KitRunner& runner : facts.runners)
    if (!runner.path.empty()) text += runner_lines(runner);
  return text + "\n";
}

std::string surroundings(const KitReportFacts& facts) {
  std::string text = "### Device Information\n\n";
  text += fmt::format("- **Architecture**: {}\n- **Platform**: {}\n- **Platform Version**: {}\n",
                      facts.host.architecture, facts.host.platform, facts.host.platform_version);
  if (!facts.host.os.empty()) text += fmt::format("- **OS**: {}\n", facts.host.os);
  if (!facts.host.os_version.empty()) text += fmt::format("- **OS Version**: {}\n", facts.host.os_version);
  text += "\n### ExecuTorch Information\n\n";
  if (!facts.executorch_sha.empty())
    text += fmt::format("- **ExecuTorch SHA**: `{}`\n- **ExecuTorch Status**: {}\n", facts.executorch_sha,
                        facts.executorch_dirty ? "⚠️ Dirty" : "✓ Clean");
  return text + fmt::format("\n### Analysis Information\n\n- **CSV Files Analyzed**: {}\n\n",
                            facts.experiments.size());
}

std::string latency_line(std::string_view metric, double on, double off) {
  const double speedup = on > 0 ? off / on : 0;
  return fmt::format("| **{} Latency** | {} ms | {} ms | {} |\n", metric, fixed(on, 3), fixed(off, 3),
                     speedup > 0 ? fixed(speedup, 2) + "x" : "-");
}

using Stats = std::optional<KitReportStats>;

Stats stats_of(const KitExperiment* experiment) {
  if (experiment == nullptr) return std::nullopt;
  return kit_report_stats(experiment->latencies);
}

std::string latencies(const Stats& on, const Stats& off) {
  std::string text =
      "## Latency Comparison (SME2-On vs SME2-Off)\n\n"
      "| Metric | SME2-On | SME2-Off | Speedup |\n|--------|---------|----------|---------|\n";
  if (on && off) {
    text += latency_line("Median", on->median, off->median) + latency_line("Mean", on->mean, off->mean) +
            latency_line("Min", on->min, off->min) + latency_line("Max", on->max, off->max);
    text += fmt::format("| **Std Dev** | {} ms | {} ms | - |\n", fixed(on->deviation, 3),
                        fixed(off->deviation, 3));
  }
  return text + "\n";
}

struct CategoryRow {
  std::string name;
  double on = 0;
  double off = 0;
};

std::string categories(const KitChoice& choice) {
  std::map<std::string, CategoryRow> by_name;
  if (choice.on != nullptr)
    for (const auto& [name, ms] : choice.on->category_ms) by_name[name].on = ms;
  if (choice.off != nullptr)
    for (const auto& [name, ms] : choice.off->category_ms) by_name[name].off = ms;
  std::string text = "## Operator Category Breakdown\n\n";
  if (by_name.empty()) return text;
  std::vector<CategoryRow> rows;
  rows.reserve(by_name.size());
  for (const auto& [name, row] : by_name) rows.push_back({name, row.on, row.off});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const CategoryRow& a, const CategoryRow& b) { return a.on + a.off > b.on + b.off; });
  text +=
      "### Operator Category Breakdown (SME2-On vs SME2-Off)\n\n"
      "| Category | SME2-On (ms) | SME2-Off (ms) |\n|----------|--------------|---------------|\n";
  for (const CategoryRow& row : rows)
    text += fmt::format("| **{}** | {} | {} |\n", row.name, fixed(row.on, 3), fixed(row.off, 3));
  return text + "\n";
}

std::string artifacts(const std::vector<KitExperiment>& experiments) {
  std::string text =
      "## Generated Artifacts\n\n### CSV Files (Source Data for Report)\n\n"
      "| File | Description |\n|------|-------------|\n";
  std::set<std::string> seen;
  const auto add = [&](const std::string& file, std::string_view description) {
    if (!file.empty() && seen.insert(file).second) text += fmt::format("| `{}` | {} |\n", file, description);
  };
  for (const KitExperiment& experiment : experiments) {
    add(experiment.timeline_csv, "Timeline CSV (per-run operator timing)");
    add(experiment.stats_csv, "Stats CSV (aggregated operator statistics)");
  }
  return text + "\n";
}

std::string summary(const Stats& on, const Stats& off) {
  std::string text = "## Summary\n\n";
  if (on && off) {
    const double speedup = on->median > 0 ? off->median / on->median : 0;
    if (speedup > 1)
      text +=
          fmt::format("✅ **SME2 acceleration shows {}x speedup** in median latency.\n", fixed(speedup, 2));
    else if (speedup < 1 && speedup > 0)
      text += fmt::format("⚠️  **SME2 shows {}x slowdown** in median latency.\n", fixed(1 / speedup, 2));
    else
      text += "ℹ️  **No significant difference** between SME2-on and SME2-off.\n";
  }
  return text + "\n";
}

}  // namespace

std::string kit_report(const KitReportFacts& facts) {
  const KitChoice choice = choose_kit_experiments(facts.experiments);
  const Stats on = stats_of(choice.on);
  const Stats off = stats_of(choice.off);
  return heading(facts) + metadata(facts) + surroundings(facts) + latencies(on, off) + categories(choice) +
         artifacts(facts.experiments) + summary(on, off) +
         "---\n*Report generated from CSV files (derived from ETDump)*";
}

}  // namespace accelscope::compat
