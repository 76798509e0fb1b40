#include "formats/chip_run/run_facts.h"

#include <fmt/core.h>

#include <algorithm>

#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using chip_swimlane::Capture;
using chip_swimlane::Era;
using trace::Value;

std::string_view format_of(Era era) {
  switch (era) {
    case Era::kObjectsByVersion0:
      return "task objects, version 0 to 2";
    case Era::kObjectsByVersion1:
      return "task objects, version 1 to 4";
    case Era::kObjectsByLevel:
      return "task objects by level";
    case Era::kRawCycles:
      return "raw cycles";
  }
  return {};
}

// Only raw recordings state the frequency of the chip's own counter, and each chip has its own.
std::string_view chip_of(const Capture& capture) {
  if (capture.era != Era::kRawCycles) return {};
  if (capture.frequency == base::Frequency::mhz(50)) return "a2a3";
  if (capture.frequency == base::Frequency::mhz(1000)) return "a5";
  return {};
}

void add_accounting(const Capture& capture, trace::TraceBuilder& builder) {
  std::uint64_t kept = 0;
  for (const chip_swimlane::CoreRows& core : capture.cores) kept += core.task.size();
  builder.add_accounting(
      {.producer = builder.intern("cores"),
       .drop_reason = builder.intern("phantom, duplicate and impossible rows, which are rejected"),
       .produced = std::max(capture.counts.core_rows, kept),
       .collected = kept,
       .dropped = capture.counts.rejected_rows});
  if (capture.host_capture)
    builder.add_accounting(
        {.producer = builder.intern("host orchestrator"),
         .drop_reason = builder.intern(capture.host_capture->error.empty() ? "no room in the recorder's pool"
                                                                           : capture.host_capture->error),
         .produced = capture.host_capture->expected,
         .collected = capture.host_capture->recorded,
         .dropped = capture.host_capture->dropped});
}

}  // namespace

void add_run_facts(const Capture& capture, bool has_account, trace::TraceBuilder& builder) {
  const auto add_text = [&](std::string_view key, std::string_view text) {
    if (!text.empty()) builder.add_fact(key, Value::of_string(builder.intern(text)));
  };
  builder.add_fact(trace::fact::kSwimlaneLevel, Value::of_int(capture.level));
  add_text(trace::fact::kSwimlaneFormat, format_of(capture.era));
  add_text(trace::fact::kDevice, chip_of(capture));
  if (capture.orchestrator_totals) {
    builder.add_fact("orchestrator submits", Value::of_uint(capture.orchestrator_totals->submits));
    for (const auto& [phase, nanoseconds] : capture.orchestrator_totals->phases)
      builder.add_fact(fmt::format("orchestrator phase {} (ns)", phase), Value::of_int(nanoseconds));
  }
  if (!has_account) add_accounting(capture, builder);
}

}  // namespace accelscope::formats::chip_run
