#include "jobs/memory_stream.h"

#include <fmt/core.h>

#include "base/date.h"
#include "base/human.h"
#include "boards/board_file.h"
#include "boards/model_file.h"
#include "boards/settings_file.h"
#include "fit/fit.h"
#include "fit/stream_document.h"
#include "fit/stream_trace.h"
#include "jobs/convert.h"

namespace accelscope::jobs {
namespace {

using base::Result;
namespace fitting = accelscope::fit;

// Everything that changes a number.
void add_provenance(findings::Findings& findings, const MemoryStreamOptions& options,
                    const fitting::Machine& machine) {
  findings.provenance.version = options.version;
  findings.provenance.generated_at = base::iso_date(base::report_time());
  const auto add = [&](std::string key, std::string value) {
    findings.provenance.options.push_back({std::move(key), std::move(value)});
  };
  add("board", options.board);
  add("model", options.model);
  add("settings", options.settings.empty() ? "plena" : options.settings);
  add("policy", std::string(name_of(options.question.policy)));
  add("prefetch-depth", fmt::format("{}", options.question.prefetch_depth));
  if (options.question.layers_pinned)
    add("layers-pinned", fmt::format("{}", *options.question.layers_pinned));
  add("context", fmt::format("{}", options.context));
  add("batch", fmt::format("{}", options.batch));
  add("weights", boards::name_of(machine.formats.weights));
  add("capacity", fmt::format("{}", machine.capacity.value));
  add("host-bandwidth", fmt::format("{}", machine.link->bandwidth.value));
  add("link-latency-ps", fmt::format("{}", machine.link->latency.value));
}

Result<std::string> write(const trace::Trace& trace, const std::string& output) {
  const ConvertOptions options{.inputs = {}, .output = output};
  ACCELSCOPE_TRY(const OutputFormat format, check_output(options));
  ACCELSCOPE_TRY(const ConvertOutcome written, write_trace(trace, format, options));
  return output;
}

}  // namespace

Result<MemoryStreamJob> memory_stream(const MemoryStreamOptions& options) {
  // A name that stands for no format is wrong before anything is worked out.
  if (!options.output.empty()) {
    ACCELSCOPE_CHECK(check_output({.inputs = {}, .output = options.output}));
  }
  ACCELSCOPE_TRY(const boards::Board board, boards::load_board(options.board));
  ACCELSCOPE_TRY(const boards::Model model, boards::load_model(options.model));
  ACCELSCOPE_TRY(const boards::ReadSettings settings,
                 boards::load_settings(options.settings.empty() ? "plena" : options.settings));
  fitting::Overrides overrides = options.overrides;
  overrides.buffers = options.question.prefetch_depth + 1;
  ACCELSCOPE_TRY(const fitting::Machine machine,
                 fitting::machine_of(board, settings.settings.transactional, overrides));
  const fitting::Workload workload{.context = options.context, .batch = options.batch};
  if (const std::string wrong = fitting::wrong_workload(model, workload); !wrong.empty())
    return base::fail(base::ErrorCode::kUsage, "{}", wrong);
  ACCELSCOPE_TRY(const fitting::StreamStudy study,
                 fitting::study_streaming(model, machine, workload, options.question));
  MemoryStreamJob done;
  done.findings = fitting::stream_document(model, board, machine, options.question, study);
  add_provenance(done.findings, options, machine);
  if (options.output.empty()) return done;
  ACCELSCOPE_TRY(const trace::Trace trace, fitting::stream_trace(model, machine, study));
  ACCELSCOPE_TRY(done.written_to, write(trace, options.output));
  return done;
}

}  // namespace accelscope::jobs
