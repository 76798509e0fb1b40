#include "cli/validate_json.h"

#include <unistd.h>

#include "base/json_writer.h"
#include "trace/run_names.h"

namespace accelscope::cli {
namespace {

using base::JsonWriter;

void write_sources(JsonWriter& json, const trace::Trace& trace) {
  json.key("sources").begin_array();
  for (const trace::SourceFile& source : trace.sources()) {
    json.begin_object();
    json.member("path", source.path)
        .member("format", source.format)
        .member("detail", source.detail)
        .member("bytes", source.bytes);
    json.end_object();
  }
  json.end_array();
}

void write_contents(JsonWriter& json, const trace::TraceSummary& summary) {
  json.key("contents").begin_object();
  json.member("tracks", summary.tracks)
      .member("slices", summary.slices)
      .member("overlapping_slices", summary.overlapping_slices);
  json.member("negative_self_times", summary.negative_self_times).member("flows", summary.flows);
  json.member("counter_samples", summary.counters)
      .member("instants", summary.instants)
      .member("states", summary.states);
  json.member("tasks", summary.tasks).member("task_edges", summary.task_edges).member("args", summary.args);
  json.member("clocks", summary.clocks).member("runs_complete", summary.runs_complete);
  json.member("runs_aborted", summary.runs_aborted).member("runs_empty", summary.runs_empty);
  json.end_object();
}

void write_methods(JsonWriter& json, const trace::TraceSummary& summary) {
  json.key("methods").begin_array();
  for (const trace::MethodSummary& method : summary.methods) {
    json.begin_object();
    json.member("method", method.method)
        .member("kind", trace::name_of(method.kind))
        .member("source", method.source);
    json.key("runs").begin_array();
    for (const trace::RunSummary& run : method.runs) {
      json.begin_object();
      json.member("status", trace::name_of(run.status));
      json.key("end_to_end_ticks");
      run.end_to_end ? json.value(run.end_to_end->value) : json.null();
      json.key("end_to_end_ns");
      run.end_to_end&& run.frequency.known() ? json.value(run.frequency.to_nanoseconds(*run.end_to_end).value)
                                             : json.null();
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

void write_invariants(JsonWriter& json, const std::vector<analysis::chip::Invariant>& invariants) {
  json.key("invariants").begin_array();
  for (const analysis::chip::Invariant& invariant : invariants) {
    json.begin_object();
    json.member("id", invariant.id).member("text", invariant.text).member("state", name_of(invariant.state));
    json.member("checked", invariant.checked)
        .member("violations", invariant.violations)
        .member("first_violation", invariant.first_violation);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void write_quality(JsonWriter& json, const trace::QualityTable& quality) {
  json.key("quality").begin_array();
  for (const trace::QualityRow& row : quality.by_severity()) {
    json.begin_object();
    json.member("id", row.id)
        .member("severity", trace::severity_name(row.severity))
        .member("sentence", row.sentence);
    json.member("count", row.count).member("first_place", row.first_place.to_string());
    json.end_object();
  }
  json.end_array();
}

base::Status print_validate_json(const jobs::ValidateOutcome& outcome) {
  base::DescriptorOutput out(STDOUT_FILENO, "standard output");
  JsonWriter json(out, JsonWriter::Style::kIndented);
  json.begin_object();
  json.member("schema", "accelscope.validate/1");
  write_sources(json, outcome.trace);
  write_quality(json, outcome.trace.quality());
  write_contents(json, outcome.summary);
  write_methods(json, outcome.summary);
  write_invariants(json, outcome.invariants);
  json.end_object();
  out.append('\n');
  return out.flush();
}

}  // namespace accelscope::cli
