#include <fmt/core.h>

#include <algorithm>

#include "compat/kit_report.h"
#include "compat/python_text.h"

namespace accelscope::compat {
namespace {

std::string latency_lines(const KitPlatform& platform) {
  std::vector<const KitExperiment*> by_name;
  for (const KitExperiment& experiment : platform.experiments) by_name.push_back(&experiment);
  std::stable_sort(by_name.begin(), by_name.end(),
                   [](const KitExperiment* a, const KitExperiment* b) { return a->name < b->name; });
  std::string text;
  for (const KitExperiment* experiment : by_name)
    if (const std::optional<KitReportStats> stats = kit_report_stats(experiment->latencies))
      text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", platform.name, experiment->name,
                          fixed(stats->median, 2), fixed(stats->mean, 2), fixed(stats->min, 2),
                          fixed(stats->max, 2), fixed(stats->deviation, 2));
  return text;
}

double median_of(const KitExperiment& experiment) {
  const std::optional<KitReportStats> stats = kit_report_stats(experiment.latencies);
  return stats ? stats->median : 0;
}

std::string speedup_line(const KitPlatform& platform) {
  const KitChoice choice = choose_last_kit_experiments(platform.experiments);
  if (choice.on == nullptr || choice.off == nullptr) return {};
  const double on = median_of(*choice.on);
  const double off = median_of(*choice.off);
  return on > 0 && off > 0 ? fmt::format("| {} | {}x |\n", platform.name, fixed(off / on, 2)) : std::string();
}

std::string category_lines(const KitPlatform& platform) {
  std::string text = fmt::format(
      "### {}\n\n| Category | SME2-On (ms) | SME2-Off (ms) |\n|----------|--------------|---------------|\n",
      platform.name);
  const KitChoice choice = choose_last_kit_experiments(platform.experiments);
  if (choice.on != nullptr && choice.off != nullptr) {
    std::map<std::string, double> names = choice.on->category_ms;
    names.insert(choice.off->category_ms.begin(), choice.off->category_ms.end());
    const auto ms = [](const KitExperiment& experiment, const std::string& name) {
      const auto found = experiment.category_ms.find(name);
      return found == experiment.category_ms.end() ? 0 : found->second;
    };
    for (const auto& [name, unused] : names)
      text += fmt::format("| **{}** | {} | {} |\n", name, fixed(ms(*choice.on, name), 3),
                          fixed(ms(*choice.off, name), 3));
  }
  return text + "\n";
}

}  // namespace

std::string kit_combined_report(const KitCombinedFacts& facts) {
  std::string text = fmt::format("# Profiling Report: {} (macOS + Android)\n\n**Generated**: {}\n\n\n",
                                 facts.model_name, facts.generated);
  text += fmt::format("## Metadata\n\n- **Model**: `{}.pte`\n- **Platforms**: macOS, Android\n\n",
                      facts.model_name);
  text +=
      "## Cross-Platform Latency Comparison\n\n"
      "| Platform | Experiment | Median (ms) | Mean (ms) | Min (ms) | Max (ms) | Std Dev (ms) |\n"
      "|----------|-----------|-------------|-----------|----------|----------|--------------|\n";
  for (const KitPlatform& platform : facts.platforms) text += latency_lines(platform);
  text +=
      "\n## SME2 Speedup Comparison (SME2-On vs SME2-Off)\n\n"
      "| Platform | Speedup |\n|----------|---------|\n";
  for (const KitPlatform& platform : facts.platforms) text += speedup_line(platform);
  text += "\n## Operator Category Breakdown (Cross-Platform)\n\n";
  for (const KitPlatform& platform : facts.platforms) text += category_lines(platform);
  return text + "---\n*Report generated from CSV files (derived from ETDump)*";
}

}  // namespace accelscope::compat
