// ETDumps inside the log of a board without a file system, which prints them as shell commands:
//
//   # Writing etdump.bin [base64]
//   echo "3AgAAAgAAABFRDAw..." | base64 -d >etdump.bin
//
// Logs come with CR LF, with prefixes in front of every line (time stamps, names of ports), and wrapped at
// the width of a terminal; all of that is undone. A twin with debug_buffer.bin holds tensors and is only
// counted. Every dump of the log is found. Pure functions; the caller keeps the text and owns the result.
//
//   ACCELSCOPE_TRY(const UartLog log, extract_from_uart_log(file.path(), file.text()));
//   for (const UartDump& dump : log.dumps) read(dump.bytes);
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace accelscope::formats::etdump {

struct UartDump {
  std::size_t line = 0;  // of the echo command, from 1
  std::string bytes;
};

struct UartLog {
  std::vector<UartDump> dumps;  // at least one
  std::size_t debug_buffers = 0;
  bool says_cycles = false;  // the log advises to read the times as cycles
};

base::Result<UartLog> extract_from_uart_log(const std::string& path, std::string_view text);

}  // namespace accelscope::formats::etdump
