#include "jobs/perfmon_record_document.h"

#include <fmt/core.h>

#include <map>
#include <string>
#include <utility>

#include "base/date.h"
#include "base/file_names.h"
#include "base/human.h"
#include "device/core_list.h"
#include "findings/columns.h"

namespace accelscope::jobs {
namespace {

using findings::Cell;
using findings::Findings;
using perfmon::CoreState;
using perfmon::Fault;
using trace::Severity;
using CoreNumbers = std::vector<std::uint32_t>;

// "core 3", "cores 0-2, 5"
std::string named(const CoreNumbers& cores) {
  return fmt::format("{} {}", cores.size() == 1 ? "core" : "cores", device::format_core_list(cores));
}

std::string capitalised(std::string text) {
  if (!text.empty() && text.front() == 'c') text.front() = 'C';
  return text;
}

bool was_started(const RecordedCore& core) {
  return core.fault == Fault::kNone;
}

template <class Test>
CoreNumbers cores_that(const std::vector<RecordedCore>& cores, Test&& test) {
  CoreNumbers found;
  for (const RecordedCore& core : cores)
    if (was_started(core) && test(core)) found.push_back(core.core);
  return found;
}

std::map<Fault, CoreNumbers> by_fault(const std::vector<RecordedCore>& cores) {
  std::map<Fault, CoreNumbers> found;
  for (const RecordedCore& core : cores)
    if (!was_started(core)) found[core.fault].push_back(core.core);
  return found;
}

std::map<CoreState, CoreNumbers> by_bad_state(const std::vector<RecordedCore>& cores) {
  std::map<CoreState, CoreNumbers> found;
  for (const RecordedCore& core : cores)
    if (was_started(core) && core.state != CoreState::kStopped) found[core.state].push_back(core.core);
  return found;
}

bool is_failure(CoreState state) {
  return state == CoreState::kDeviceGone || state == CoreState::kPointerOutside ||
         state == CoreState::kNotRestored;
}

// The trust box of a recording.
class Doubts {
 public:
  Doubts(const Recorded& recorded, trace::QualityTable& quality) : recorded_(recorded), quality_(quality) {}

  void add_all(base::Nanoseconds every) {
    add_states();
    add_bytes();
    add_hardware();
    if (recorded_.interrupted)
      add("perfmon_record.partial", Severity::kWarning, 1,
          fmt::format("The recording was interrupted after {}; it was stopped in order, and what was drained "
                      "until then is there.",
                      base::format_duration(recorded_.duration)));
    if (recorded_.longest_gap.value > 4 * every.value)
      add("perfmon_record.late", Severity::kInfo, 1,
          fmt::format("Drains were up to {} apart, although every {} was asked for: copying and writing took "
                      "longer. Where bytes are lost, a larger --ring helps.",
                      base::format_duration(recorded_.longest_gap), base::format_duration(every)));
    add("perfmon_record.unverified", Severity::kInfo, 1,
        "Registers and their behaviour come from public notes; this recorder has never met silicon.");
  }

 private:
  void add(std::string id, Severity severity, std::uint64_t count, std::string sentence) {
    quality_.add(
        {.id = std::move(id), .severity = severity, .sentence = std::move(sentence), .count = count});
  }
  void add_if_any(std::string id, Severity severity, const CoreNumbers& cores, std::string_view sentence) {
    if (!cores.empty())
      add(std::move(id), severity, cores.size(), fmt::format("{}: {}", capitalised(named(cores)), sentence));
  }
  template <class Test>
  CoreNumbers that(Test&& test) const {
    return cores_that(recorded_.cores, test);
  }

  void add_states() {
    for (const auto& [fault, cores] : by_fault(recorded_.cores))
      add_if_any("perfmon_record.not_started", Severity::kWarning, cores,
                 fmt::format("not started: {}.", text_of(fault)));
    for (const auto& [state, cores] : by_bad_state(recorded_.cores))
      add_if_any("perfmon_record.state", is_failure(state) ? Severity::kError : Severity::kWarning, cores,
                 fmt::format("{}.", text_of(state)));
    add_if_any("perfmon_record.ring_in_use", Severity::kWarning,
               that([](const RecordedCore& core) { return !core.ring_may_be_released; }),
               "the monitor may still have the address of the ring. That memory is not to be used for "
               "anything else before the registers were looked at.");
  }

  void add_bytes() {
    const auto sum = [&](auto member) {
      std::uint64_t bytes = 0;
      for (const RecordedCore& core : recorded_.cores) bytes += core.counts.*member;
      return bytes;
    };
    using Counts = device::CoreRecordingCounts;
    if (const std::uint64_t lost = sum(&Counts::lost_bytes); lost > 0)
      add("perfmon_record.bytes_lost", Severity::kWarning, lost,
          fmt::format("Of {} written bytes {} were written over before or while they were copied ({} of them "
                      "while): larger rings (--ring) or fewer cores (--only) help.",
                      sum(&Counts::written_bytes), lost, sum(&Counts::overwritten_bytes)));
    if (const std::uint64_t torn = sum(&Counts::torn_bytes); torn > 0)
      add("perfmon_record.torn", Severity::kWarning, torn,
          fmt::format("{} bytes belong to words that were never completed.", torn));
    add_if_any("perfmon_record.silent", Severity::kWarning,
               that([](const RecordedCore& core) { return core.counts.files == 0; }),
               "nothing was written. Either no task ran, or perf_mon_en did not stay on (see --enable "
               "launch), or the ring's address is not one that the monitor reaches.");
  }

  void add_hardware() {
    add_if_any("perfmon_record.pointer_disagrees", Severity::kWarning,
               that([](const RecordedCore& core) { return !core.counts.pointers_agree; }),
               "the pointer is not where the counter says. One of them counts something else than is "
               "assumed, and then so are bytes copied and lost; the files hold the whole ring, and "
               "`accelscope perfmon infer` tries what fits.");
    add_if_any("perfmon_record.unsettled", Severity::kWarning,
               that([](const RecordedCore& core) { return !core.counts.settled; }),
               "the pointer still moved when the monitor was off; the last words may be missing.");
  }

  const Recorded& recorded_;
  trace::QualityTable& quality_;
};

findings::Table cores_table(const std::vector<RecordedCore>& cores) {
  using findings::count_column;
  findings::Table table{
      .id = "cores",
      .columns = {count_column("core", "Core"), findings::text_column("state", "State"),
                  count_column("drains", "Drains"), count_column("files", "Files"),
                  count_column("written", "Written", "B"), count_column("copied", "Copied", "B"),
                  count_column("lost", "Lost", "B"), count_column("overwritten", "Overwritten", "B"),
                  count_column("torn", "Torn", "B")},
      .note =
          "Written = copied + lost + torn; what was overwritten while it was copied is part of what is "
          "lost."};
  const auto cell = [](std::uint64_t value) { return Cell(static_cast<std::int64_t>(value)); };
  for (const RecordedCore& core : cores) {
    const device::CoreRecordingCounts& counts = core.counts;
    if (!was_started(core)) {
      std::vector<Cell> row(table.columns.size());
      row[0] = cell(core.core);
      row[1] = fmt::format("not started: {}", text_of(core.fault));
      table.rows.push_back(std::move(row));
      continue;
    }
    table.rows.push_back({cell(core.core), std::string(text_of(core.state)), cell(counts.drains),
                          cell(counts.files), cell(counts.written_bytes), cell(counts.copied_bytes),
                          cell(counts.lost_bytes), cell(counts.overwritten_bytes), cell(counts.torn_bytes)});
  }
  return table;
}

void add_metrics(const Recorded& recorded, findings::Section& section) {
  std::uint64_t files = 0;
  std::uint64_t started = 0;
  for (const RecordedCore& core : recorded.cores) {
    files += core.counts.files;
    started += was_started(core) ? 1 : 0;
  }
  constexpr double kMillion = 1e6;
  const auto add = [&](const char* id, const char* label, double value, const char* unit) {
    section.metrics.push_back({.id = id, .label = label, .value = value, .unit = unit});
  };
  add("duration", "recorded for", static_cast<double>(recorded.duration.value) / kMillion, "ms");
  add("cores", "cores recorded", static_cast<double>(started), "");
  add("rounds", "rounds of drains", static_cast<double>(recorded.rounds), "");
  add("longest_gap", "longest time between drains",
      static_cast<double>(recorded.longest_gap.value) / kMillion, "ms");
  add("files", "drains written", static_cast<double>(files), "");
}

findings::Provenance provenance_of(const PerfmonRecordOptions& options) {
  findings::Provenance provenance{.version = options.version,
                                  .generated_at = base::iso_date(base::report_time())};
  provenance.inputs = {{.path = options.device, .format = "device"},
                       {.path = options.memory.path, .format = "memory"}};
  const auto add = [&](const char* key, std::string value) {
    provenance.options.push_back({key, std::move(value)});
  };
  const perfmon::StartConfig& start = options.start;
  const auto unit = [](perfmon::Unit counted) {
    return counted == perfmon::Unit::kWords ? "words" : "bytes";
  };
  add("offset", fmt::format("{:#x}", options.offset));
  if (options.cores)
    add("cores", fmt::format("{} every {:#x} bytes", *options.cores, options.stride));
  else
    add("chip", options.chip);
  if (!options.only.empty()) add("only", options.only);
  add("memory offset", fmt::format("{:#x}", options.memory.offset));
  add("memory address", fmt::format("{:#x}", options.memory.address));
  add("ring", fmt::format("{}", start.ring_bytes));
  add("order", start.order == &perfmon::kGlobalEnableLast ? "global-enable-last" : "enable-last");
  add("drain", start.mode == perfmon::DrainMode::kRestart ? "restart" : "read-only");
  add("enable", start.enable == perfmon::EnableOwner::kLaunchHardware ? "launch" : "own");
  add("glitch filter", fmt::format("{}", start.glitch_filter));
  add("every", base::format_duration(options.every));
  add("samp_wrt", unit(options.behaviour.samples_written_in));
  add("wptr", fmt::format("{}{}", options.behaviour.pointer == perfmon::PointerKind::kTotal ? "total-" : "",
                          unit(options.behaviour.pointer_in)));
  add("buf_len", options.behaviour.length == perfmon::LengthKind::kLastWord ? "last-word" : "size");
  add("buffer", options.behaviour.buffer == perfmon::BufferKind::kLinear ? "linear" : "ring");
  return provenance;
}

}  // namespace

Findings perfmon_record_document(const PerfmonRecordOptions& options, const Recorded& recorded) {
  Findings findings{.kind = "perfmon record", .title = std::string(base::file_name(options.device))};
  Doubts(recorded, findings.quality).add_all(options.every);
  findings::Section& section = findings::add_section(findings, "recording", "Recording");
  add_metrics(recorded, section);
  section.tables.push_back(cores_table(recorded.cores));
  findings.provenance = provenance_of(options);
  return findings;
}

std::string faults_text(const std::vector<RecordedCore>& cores) {
  std::string text;
  for (const auto& [fault, numbers] : by_fault(cores))
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", named(numbers), text_of(fault));
  return text;
}

std::string failure_text(const std::vector<RecordedCore>& cores) {
  std::string text;
  for (const auto& [state, numbers] : by_bad_state(cores))
    if (is_failure(state))
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", named(numbers), text_of(state));
  return text;
}

}  // namespace accelscope::jobs
