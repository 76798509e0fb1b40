#include <fmt/core.h>

#include "findings/columns.h"
#include "jobs/emulate_document.h"
#include "jobs/emulate_numbers.h"

namespace accelscope::jobs {
namespace {

using base::Picoseconds;
using emulator::Bound;
using emulator::CriticalPath;
using emulator::Emulation;
using emulator::Roof;
using emulator::Roofline;
using findings::Findings;
using findings::number_column;
using findings::percent_column;
using findings::Section;
using findings::Table;
using findings::text_column;

constexpr double kGiga = 1e9;

void add_path(Findings& findings, const Emulation& done) {
  if (!done.critical_path) return;
  const CriticalPath& path = *done.critical_path;
  Section& section = findings::add_section(findings, "critical_path", "Critical path");
  Table table{.id = "path",
              .columns = {text_column("unit", "Unit"), number_column("time", "On the path", "us", 3),
                          percent_column("share", "Share", 1)},
              .note = path.complete ? "The chain of operations that the run could not have been shorter than."
                                    : "The run was too long to keep the path by instruction."};
  for (std::size_t unit = 0; unit < isa::kUnits; ++unit)
    if (path.by_unit[unit].value != 0)
      table.rows.push_back({std::string(isa::name_of(static_cast<isa::Unit>(unit))),
                            microseconds(path.by_unit[unit]), share_cell(path.by_unit[unit], path.total)});
  table.rows.push_back({std::string("issue"), microseconds(path.issue), share_cell(path.issue, path.total)});
  section.tables.push_back(std::move(table));
}

void add_roofline(Findings& findings, const isa::Program& program, const EmulatedRun& run) {
  const Roofline made = emulator::roofline(program, run.done, run.circumstances());
  Section& section = findings::add_section(findings, "roofline", "Roofline");
  if (made.multiplications == 0) {
    section.empty_hint = "The program multiplies no matrices: there is no roof to compare it with.";
    return;
  }
  const auto add = [&](std::string id, std::string label, double value, std::string unit,
                       findings::Better better) {
    section.metrics.push_back({.id = std::move(id),
                               .label = std::move(label),
                               .value = value,
                               .unit = std::move(unit),
                               .better = better});
  };
  using findings::Better;
  add("multiplications", "multiply-accumulates of matrices", static_cast<double>(made.multiplications), "",
      Better::kNeither);
  add("intensity", "multiply-accumulates for each byte of memory", made.intensity, "MAC/B", Better::kNeither);
  add("attained", "multiply-accumulates a second", made.attained / kGiga, "GMAC/s", Better::kHigher);
  add("attainable", "the lowest roof", made.attainable / kGiga, "GMAC/s", Better::kNeither);
  if (made.attainable > 0)
    add("roof_share", "of the lowest roof", 100 * made.attained / made.attainable, "%", Better::kHigher);
  Table table{.id = "roofs",
              .columns = {text_column("roof", "Roof"), number_column("rate", "Rate", "G/s", 3),
                          number_column("attainable", "Attainable", "GMAC/s", 3),
                          percent_column("attained", "Attained", 1)},
              .note =
                  "Rates are multiply-accumulates, or bytes, a second. The lowest roof is among the costs of "
                  "M_MM, the memory's peak and the host link."};
  for (const Roof& roof : made.roofs)
    table.rows.push_back(
        {roof.id == made.lowest ? roof.name + " (lowest)" : roof.name, roof.rate / kGiga,
         roof.attainable / kGiga,
         roof.attainable > 0 ? findings::Cell(100 * made.attained / roof.attainable) : findings::Cell()});
  section.tables.push_back(std::move(table));
}

void add_bounds(Findings& findings, const EmulatedRun& run) {
  Section& section = findings::add_section(findings, "what_if", "What if");
  Table table{.id = "bounds",
              .columns = {text_column("what", "What if"),
                          number_column("latency", "Latency at best", "us", 3),
                          {.id = "speedup", .title = "At most faster", .kind = findings::ColumnKind::kRatio}},
              .note = "Bounds: nothing else changes, and nothing else takes over."};
  for (const Bound& bound : emulator::bounds_of(run.done, run.memory.host_bandwidth.has_value()))
    table.rows.push_back({bound.what, microseconds(bound.latency),
                          bound.latency.value > 0
                              ? findings::Cell(seconds(run.done.latency) / seconds(bound.latency))
                              : findings::Cell()});
  section.tables.push_back(std::move(table));
}

}  // namespace

void add_run_limits(Findings& findings, const isa::Program& program, const EmulatedRun& run) {
  add_path(findings, run.done);
  add_roofline(findings, program, run);
  add_bounds(findings, run);
}

}  // namespace accelscope::jobs
