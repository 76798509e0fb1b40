#include "formats/open/readers.h"

#include <algorithm>
#include <array>

#include "formats/capture/container_reader.h"
#include "formats/capture/trace_chunks.h"
#include "formats/chip_run/chip_run_files.h"
#include "formats/chip_run/host_trace.h"
#include "formats/chip_run/recording_reader.h"
#include "formats/chrome_json/reader.h"
#include "formats/etdump/etdump_reader.h"
#include "formats/kernel_log/kernel_log_reader.h"
#include "formats/timeline_csv/sniff.h"
#include "formats/timeline_csv/timeline_reader.h"

namespace accelscope::formats::open {
namespace {

using base::MappedFile;
using base::Result;
using trace::Trace;

Result<Trace> read_etdump(const MappedFile& file, const ReadOptions& options) {
  return etdump::read(file, {.time_unit = options.time_unit});
}

Result<Trace> read_chrome_json(const MappedFile& file, const ReadOptions& options) {
  chrome_json::Options chrome;
  chrome.keep_args = options.keep_args;
  if (options.progress)
    chrome.progress = [&](std::uint64_t done) { options.progress(file.path(), done, file.size()); };
  Result<Trace> trace = chrome_json::read(file, chrome);
  if (options.progress) options.progress(file.path(), file.size(), file.size());
  return trace;
}

Result<Trace> read_astrace(const MappedFile& file, const ReadOptions& options) {
  std::function<void(std::uint64_t)> progress;
  if (options.progress)
    progress = [&](std::uint64_t done) { options.progress(file.path(), done, file.size()); };
  return chip_run::is_recording(file) ? chip_run::read_recording(file, progress)
                                      : capture::read(file, progress);
}

Result<Trace> read_timeline_csv(const MappedFile& file, const ReadOptions&) {
  return timeline_csv::read_timeline(file);
}
Result<Trace> read_ops_stats_csv(const MappedFile& file, const ReadOptions&) {
  return timeline_csv::read_ops_stats(file);
}
Result<Trace> read_kernel_log(const MappedFile& file, const ReadOptions&) {
  return kernel_log::read_log(file);
}
Result<Trace> read_kernels_csv(const MappedFile& file, const ReadOptions&) {
  return kernel_log::read_kernels_csv(file);
}

// The swimlane alone; open_trace() adds what lies beside it.
Result<Trace> read_chip_swimlane(const MappedFile& file, const ReadOptions&) {
  return chip_run::read_run(file, {});
}
Result<Trace> read_strace_log(const MappedFile& file, const ReadOptions&) {
  return chip_run::read_host_log(file);
}
Result<Trace> read_host_phases(const MappedFile& file, const ReadOptions&) {
  return chip_run::read_host_phase_records(file);
}

constexpr std::array<Reader, 11> kReaders{{
    {"astrace", "capture file of AccelScope: a saved trace or a recording", capture::looks_like_capture,
     read_astrace},
    {"etdump", "ETDump, what the ExecuTorch runtime records", etdump::looks_like_etdump, read_etdump},
    {"timeline-csv", "timeline CSV of the ExecuTorch profiling kit", timeline_csv::looks_like_timeline_csv,
     read_timeline_csv},
    {"ops-csv", "operator statistics CSV of the profiling kit", timeline_csv::looks_like_ops_stats_csv,
     read_ops_stats_csv},
    {"kernels-csv", "kernel table CSV of the profiling kit", kernel_log::looks_like_kernels_csv,
     read_kernels_csv},
    {"chip-swimlane", "chip swimlane: what the cores and control CPUs of an NPU did",
     chip_swimlane::looks_like_chip_swimlane, read_chip_swimlane},
    {"host-phases", "host phase records: what the host did to build and upload a graph",
     host_phases::looks_like_host_phases, read_host_phases},
    {"chrome-json", "Chrome trace JSON, array or object form", chrome_json::looks_like_chrome_json,
     read_chrome_json},
    // Last, because they search beyond the first bytes.
    {"etdump-uart", "a UART log of a bare-metal runner, with ETDumps in base64", etdump::looks_like_uart_log,
     read_etdump},
    {"strace-log", "a text log with [STRACE] span markers", strace_log::looks_like_strace_log,
     read_strace_log},
    {"kernel-log", "a text log with XNNPACK's lines about its kernels", kernel_log::looks_like_kernel_log,
     read_kernel_log},
}};

}  // namespace

std::span<const Reader> readers() {
  return kReaders;
}

const Reader* reader_for(std::string_view bytes) {
  const auto found = std::find_if(kReaders.begin(), kReaders.end(),
                                  [&](const Reader& reader) { return reader.recognises(bytes); });
  return found == kReaders.end() ? nullptr : &*found;
}

const Reader* reader_named(std::string_view name) {
  const auto found = std::find_if(kReaders.begin(), kReaders.end(),
                                  [&](const Reader& reader) { return reader.name == name; });
  return found == kReaders.end() ? nullptr : &*found;
}

}  // namespace accelscope::formats::open
