#include "analysis/combined.h"

#include <fmt/core.h>

#include "analysis/profile_data.h"
#include "analysis/report_work.h"

namespace accelscope::analysis {
namespace {

using findings::Cell;
using findings::Findings;
using findings::Section;
using findings::Table;

struct Platform {
  const PlatformInput* input;
  ReportWork work;
};

void add_platforms(Findings& findings, const std::vector<Platform>& platforms) {
  Section& section = findings::add_section(findings, "metadata", "Metadata");
  Table table{.id = "platforms",
              .columns = {text_column("platform", "Platform"), text_column("what", "What"),
                          text_column("value", "Value")}};
  for (const Platform& platform : platforms) {
    if (!platform.input->missing.empty())
      table.rows.push_back({platform.input->name, std::string("missing"), platform.input->missing});
    for (const findings::KeyValue& item : platform.input->input.metadata)
      table.rows.push_back({platform.input->name, item.key, item.value});
    for (const findings::KeyValue& item : platform.input->input.device)
      table.rows.push_back({platform.input->name, item.key, item.value});
  }
  section.tables.push_back(std::move(table));
}

void add_latencies(Findings& findings, const std::vector<Platform>& platforms) {
  Section& section = findings::add_section(findings, "latency", "Latency Comparison");
  section.empty_hint = "No platform has an execution. Record with `accelscope bench CONFIG.json`.";
  Table table{
      .id = "latency",
      .columns = {text_column("platform", "Platform"), text_column("experiment", "Experiment"),
                  text_column("method", "Method"), text_column("unit", "Unit"),
                  number_column("median", "Median", ""), number_column("mean", "Mean", ""),
                  number_column("min", "Min", ""), number_column("max", "Max", ""),
                  number_column("standard_deviation", "Std Dev", ""), count_column("n", "Steady runs")}};
  for (const Platform& platform : platforms) {
    const std::vector<Experiment>& experiments = platform.input->input.experiments;
    for (std::size_t i = 0; i < experiments.size(); ++i) {
      if (experiments[i].profile.use != TimingUse::kTiming) continue;
      for (std::size_t method = 0; method < platform.work.experiments[i].size(); ++method) {
        const MethodLatency& latency = platform.work.experiments[i][method].latency;
        const stats::Description& steady = latency.steady;
        if (steady.n == 0) continue;
        table.rows.push_back({platform.input->name, experiments[i].profile.name,
                              experiments[i].profile.methods[method].method, latency.unit, steady.median,
                              steady.mean, steady.min, steady.max,
                              steady.standard_deviation ? Cell(*steady.standard_deviation) : Cell(),
                              static_cast<std::int64_t>(steady.n)});
      }
    }
  }
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
}

void add_speedups(Findings& findings, const std::vector<Platform>& platforms) {
  Section& section = findings::add_section(findings, "speedup", "Speedup by Platform");
  section.empty_hint =
      "No platform has a pair to compare: name experiments on and off, or put compare_pairs into the config.";
  Table table{.id = "speedup",
              .columns = {text_column("platform", "Platform"), text_column("pair", "Pair"),
                          ratio_column("speedup", "Speedup"), text_column("interval", "95 % interval"),
                          text_column("verdict", "Verdict")}};
  for (const Platform& platform : platforms) {
    for (const Comparison& comparison : platform.work.comparisons) {
      for (const MethodComparison& method : comparison.methods) {
        const stats::Comparison& test = method.end_to_end;
        table.rows.push_back(
            {platform.input->name, title_of(comparison, method, comparison.methods.size()), test.speedup,
             test.interval ? Cell(fmt::format("{:.2f}x to {:.2f}x", test.interval->low, test.interval->high))
                           : Cell(),
             std::string(stats::to_text(test.verdict))});
        section.statements.push_back(
            {.id = "speedup.verdict",
             .kind = findings::StatementKind::kVerdict,
             .priority = findings::Priority::kHighest,
             .subject = platform.input->name,
             .text = fmt::format("{}: {}", platform.input->name, verdict_sentence(comparison, method))});
      }
    }
  }
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
}

// The sections of a platform's own report, as parts with the platform's name in front.
template <class Add>
void add_per_platform(Findings& findings, const std::vector<Platform>& platforms, std::string id,
                      std::string title, Add&& add) {
  findings::add_section(findings, std::move(id), std::move(title));
  bool any = false;
  for (const Platform& platform : platforms) {
    Findings own;
    add(own, platform.input->input, platform.work);
    for (Section& section : own.sections) {
      if (findings::is_empty(section)) continue;
      section.title = section.depth == 2 ? platform.input->name
                                         : fmt::format("{}: {}", platform.input->name, section.title);
      section.id = fmt::format("{}.{}", platform.input->name, section.id);
      section.depth = 3;
      findings.sections.push_back(std::move(section));
      any = true;
    }
  }
  if (any) return;
  findings.sections.back().empty_hint = "No platform has recorded operators.";
}

}  // namespace

Findings combined_report(const std::string& title, const std::vector<PlatformInput>& inputs) {
  std::vector<Platform> platforms;
  platforms.reserve(inputs.size());
  for (const PlatformInput& input : inputs) platforms.push_back({&input, do_work(input.input)});
  Findings findings{.kind = "combined report", .title = title};
  for (const Platform& platform : platforms) {
    if (!platform.input->missing.empty())
      findings.quality.add(
          {.id = "report.missing_platform",
           .severity = trace::Severity::kWarning,
           .sentence = fmt::format("{}: no data, {}.", platform.input->name, platform.input->missing)});
    findings.quality.append(platform.work.quality);
    findings.provenance.seed = platform.input->input.compare.statistics.seed;
  }
  add_platforms(findings, platforms);
  add_latencies(findings, platforms);
  add_speedups(findings, platforms);
  add_per_platform(findings, platforms, "categories", "Operator Category Breakdown", add_categories);
  add_per_platform(findings, platforms, "bottlenecks", "Bottleneck Identification", add_bottlenecks);
  add_per_platform(findings, platforms, "recommendations", "Actionable Recommendations", add_recommendations);
  for (const Platform& platform : platforms)
    for (const Experiment& experiment : platform.input->input.experiments)
      add_profile_data(findings, experiment.profile);
  return findings;
}

}  // namespace accelscope::analysis
