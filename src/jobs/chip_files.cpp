#include "jobs/chip_files.h"

#include <algorithm>

#include "formats/chip_run/trace_capture.h"
#include "formats/chip_run/trace_graph.h"
#include "formats/chip_swimlane/capture_writer.h"
#include "formats/chip_swimlane/cycle_limits.h"
#include "formats/chip_swimlane/object_writer.h"
#include "formats/deps/deps_writer.h"
#include "formats/name_map/name_map_writer.h"

namespace accelscope::jobs {
namespace {

using base::Output;
using base::Result;
using formats::chip_swimlane::Capture;
using trace::QualityTable;
using trace::Severity;
using trace::Trace;

// A swimlane leaves these to files of their own.
void name_siblings(const Trace& trace, QualityTable& notes) {
  if (formats::chip_run::has_dependencies(trace))
    notes.add({.id = "chip_run.write_siblings",
               .severity = Severity::kInfo,
               .sentence = "Dependencies and what each task runs are in a file of their own, which --to deps "
                           "writes."});
  if (formats::chip_run::has_names(trace))
    notes.add({.id = "chip_run.write_siblings",
               .severity = Severity::kInfo,
               .sentence = "Names of functions are in a file of their own, which --to name-map writes."});
}

// Rows of cycles leave functions to the dependencies.
void name_lost_functions(const Trace& trace, const Capture& capture, QualityTable& notes) {
  if (formats::chip_run::has_dependencies(trace)) return;
  std::uint64_t known = 0;
  for (const formats::chip_swimlane::CoreRows& core : capture.cores)
    known += static_cast<std::uint64_t>(std::count_if(core.function.begin(), core.function.end(),
                                                      [](std::int32_t function) { return function >= 0; }));
  if (known > 0)
    notes.add({.id = "chip_swimlane.not_written",
               .severity = Severity::kWarning,
               .sentence =
                   "Rows of cycles do not say which function was run, and without dependencies no other "
                   "file does: left out.",
               .count = known});
}

}  // namespace

Result<QualityTable> write_chip_swimlane(const Trace& trace, Output& out) {
  ACCELSCOPE_TRY(Capture capture, formats::chip_run::capture_of(trace));
  QualityTable notes = capture.quality;
  ACCELSCOPE_TRY(const QualityTable limits, formats::chip_swimlane::fit_to_cycles(capture));
  notes.append(limits);
  name_siblings(trace, notes);
  name_lost_functions(trace, capture, notes);
  formats::chip_swimlane::write_capture(capture, out);
  return notes;
}

Result<QualityTable> write_chip_swimlane_objects(const Trace& trace, Output& out) {
  ACCELSCOPE_TRY(const Capture capture, formats::chip_run::capture_of(trace));
  QualityTable notes = capture.quality;
  ACCELSCOPE_TRY(const QualityTable limits, formats::chip_swimlane::write_objects(capture, out));
  notes.append(limits);
  name_siblings(trace, notes);
  return notes;
}

Result<QualityTable> write_chip_dependencies(const Trace& trace, Output& out) {
  ACCELSCOPE_TRY(const formats::deps::Dependencies graph, formats::chip_run::dependencies_of(trace));
  formats::deps::write_dependencies(graph, out);
  return graph.quality;
}

Result<QualityTable> write_chip_names(const Trace& trace, Output& out) {
  ACCELSCOPE_TRY(const formats::name_map::NameMap names, formats::chip_run::names_of(trace));
  formats::name_map::write_name_map(names, out);
  return QualityTable{};
}

}  // namespace accelscope::jobs
