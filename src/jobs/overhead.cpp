#include "jobs/overhead.h"

#include <fmt/core.h>

#include "base/date.h"
#include "base/output_file.h"
#include "experiments/device_facts.h"
#include "experiments/target.h"
#include "findings/findings_json.h"

namespace accelscope::jobs {
namespace {

// "Intel(R) Xeon(R) Processor @ 2.30GHz, 2 cores, Debian GNU/Linux 12 (bookworm)"
std::string words_for(const experiments::DeviceFacts& facts) {
  std::string words;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) words += words.empty() ? text : ", " + text;
  };
  const std::string processor = facts.find("cpu_model");
  add(processor.empty() ? facts.find("cpu_parts") : processor);
  const std::string cores = facts.find("cpu_cores");
  if (!cores.empty()) add(cores + (cores == "1" ? " core" : " cores"));
  add(facts.find("os"));
  return words.empty() ? "a machine that says nothing about itself" : words;
}

}  // namespace

base::Result<findings::Findings> overhead(const OverheadJobOptions& options) {
  // Before the work, what would make it useless.
  std::optional<base::OutputFile> file;
  if (!options.save.empty()) {
    ACCELSCOPE_TRY(base::OutputFile created, base::OutputFile::create(options.save));
    file.emplace(std::move(created));
  }
  // The load, too: the measurement's own threads are load.
  const auto target = experiments::make_local_target();
  const experiments::DeviceFacts facts =
      experiments::device_facts(target->read_facts(experiments::fact_patterns(experiments::Facts::kAll)));
  ACCELSCOPE_TRY(const experiments::Overhead measured, experiments::measure_overhead(options.measure));
  findings::Findings findings = overhead_document(measured, options.measure.task_length, words_for(facts));
  for (const auto& [name, value] : facts.named) findings.provenance.device.push_back({name, value});
  findings.provenance.version = options.version;
  findings.provenance.generated_at = base::iso_date(base::report_time());
  if (file) {
    findings::write_json(findings, file->output());
    ACCELSCOPE_CHECK(file->commit());
  }
  return findings;
}

base::Result<analysis::chip::MeasuredOverhead> read_overhead(const std::string& path) {
  ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(path));
  return overhead_in(file);
}

}  // namespace accelscope::jobs
