// From file names to one Trace: formats are recognised by content, gzip is unpacked, an ETRecord lends its
// names, and several inputs become one trace with process tracks of their own.
//
// Reads files, keeps nothing; each call is independent of others. The Trace owns all it holds.
//
//   ACCELSCOPE_TRY(const trace::Trace trace, open_traces({"model.etdump", "model.etrecord"}, {}));
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "formats/open/readers.h"

namespace accelscope::formats::open {

struct OpenOptions {
  ReadOptions read = {};
  std::string etrecord = {};  // names for the operators of every ETDump among the inputs
  // Without an ETRecord: use the one that lies beside an ETDump under the same name, and say so in Quality.
  bool find_siblings = true;
};

// The ETRecord that lies beside an ETDump: "model.etrecord" or "model.etdump.etrecord" for "model.etdump".
std::optional<std::string> sibling_etrecord(const std::string& path);

base::Result<trace::Trace> open_trace(const std::string& path, const OpenOptions& options);

// An ETRecord among the paths is not a trace: it is joined to the ETDumps, as if it were options.etrecord.
base::Result<trace::Trace> open_traces(std::span<const std::string> paths, const OpenOptions& options);

}  // namespace accelscope::formats::open
