// Reads an ETDump, the profile that ExecuTorch's runtime writes, into a Trace.
//
// Accepted: dumps with and without the size in front, several in a row, and the log of a board that printed
// its dump as base64. What becomes of them:
// - Every dump has a track "host" with all its ordinary events, nested as the runtime ran them (events are
//   logged as they end), and the delegate events that keep to the same clock.
// - Delegate events on a clock of their own go to a track per clock and name the DELEGATE_CALL as owner.
// - Blocks become runs: loading phases, executions (grouped into "method 1", "method 2", ... by what they
//   execute: the file has no method names), aborted and empty ones.
// - Arguments: record and instruction of every event; its chain unless that is 0, as it nearly always is; the
//   delegate's number and metadata where there are any; backend and backend source of a DELEGATE_CALL, where
//   the names of its events give it away.
// - Allocations and debug values, which have no time, become instants at the end of the event logged before.
// Whatever is lost, odd or assumed is a row of the trace's Quality table.
//
// Nothing is kept between calls: several threads may read several files. The Trace owns all it shows; the
// file may be closed afterwards.
//
//   ACCELSCOPE_TRY(const MappedFile file, MappedFile::open("model.etdump"));
//   ACCELSCOPE_TRY(const Trace trace, etdump::read(file, {.time_unit = TimeUnit::nanoseconds()}));
#pragma once

#include <optional>
#include <string_view>

#include "base/mapped_file.h"
#include "base/result.h"
#include "formats/etdump/time_unit.h"
#include "trace/trace.h"

namespace accelscope::formats::etdump {

struct Options {
  // Not given: nanoseconds, or cycles in the log of a board that says so; Quality then names the assumption.
  std::optional<TimeUnit> time_unit = std::nullopt;
};

// "ED00" at byte 4 or 8.
bool looks_like_etdump(std::string_view bytes);
// Text with the line that announces a dump in base64, in its first 256 MiB.
bool looks_like_uart_log(std::string_view bytes);

base::Result<trace::Trace> read(const base::MappedFile& file, const Options& options = {});

}  // namespace accelscope::formats::etdump
