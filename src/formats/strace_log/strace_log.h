// Span markers in a host's log: "[STRACE] v=1 pid=.. tid=.. inv=.. hid=.. depth=.. name=.. ts=.. dur=..", and
// "[CLOCK_ANCHOR]" lines that give the wall time. Other lines are passed over.
//
// Spans are logged when they end. Those with clk=dev are measured on the device, relative to the device run
// of their invocation. Plain data; one thread reads.
//
//   ACCELSCOPE_TRY(const StraceLog log, read_strace_log(file));
//   for (const Span& span : log.spans) use(span.name, span.start_ns);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"
#include "trace/quality.h"

namespace accelscope::formats::strace_log {

struct Span {
  std::int64_t process = 0;
  std::int64_t thread = 0;
  std::uint64_t invocation = 0;
  std::string callable = {};  // the hash in hexadecimal
  std::uint32_t depth = 0;
  std::string name = {};  // "chip.run.bind.args"
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
  bool on_device = false;
  std::vector<std::pair<std::string, std::string>> more = {};  // further key=value pairs, in order
};

struct WallAnchor {
  std::int64_t process = 0;
  std::int64_t monotonic_ns = 0;
  std::int64_t wall_ns = 0;
};

struct StraceLog {
  std::vector<Span> spans = {};  // in the order of the log
  std::vector<WallAnchor> anchors = {};
  trace::QualityTable quality = {};
};

bool looks_like_strace_log(std::string_view bytes);

base::Result<StraceLog> read_strace_log(const base::MappedFile& file);

}  // namespace accelscope::formats::strace_log
