// From file names to one Trace: formats are recognised by content, gzip is unpacked, an ETRecord lends its
// names, the files of a chip's run come together, and several inputs become one trace with process tracks of
// their own.
//
// Reads files, keeps nothing; each call is independent of others. The Trace owns all it holds.
//
//   ACCELSCOPE_TRY(const trace::Trace trace, open_traces({"model.etdump", "model.etrecord"}, {}));
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/chip_run/chip_run_files.h"
#include "formats/open/readers.h"

namespace accelscope::formats::open {

struct OpenOptions {
  ReadOptions read = {};
  std::string etrecord = {};               // names for the operators of every ETDump among the inputs
  chip_run::SiblingPaths chip_files = {};  // what belongs to every chip swimlane among the inputs
  // Also use what lies beside an input, and say so in Quality: an ETRecord under the name of its ETDump, and
  // the files of a chip swimlane's run.
  bool find_siblings = true;
};

// The run of a chip that a directory holds: the only recording (*.astrace) directly in it, or else the only
// *.json or *.json.gz that is a swimlane by its content. Nothing when there is none or the directory cannot
// be read, an error when there are several, or when it holds the rounds of a run.
base::Result<std::optional<std::string>> run_in(const std::string& directory);

// Puts the run in the place of every directory among the paths that holds one; other paths stay.
base::Status enter_run_directories(std::vector<std::string>& paths);

// The files beside an input that opening it reads, too.
std::vector<std::string> sibling_files(const std::string& path, const OpenOptions& options);

// Moves those of several inputs that only belong to a chip swimlane among them into the options, and an
// ETRecord likewise. An error when two claim one place.
base::Status take_siblings(std::vector<std::string>& paths, OpenOptions& options);

// The ETRecord that lies beside an ETDump: "model.etrecord" or "model.etdump.etrecord" for "model.etdump".
std::optional<std::string> sibling_etrecord(const std::string& path);

base::Result<trace::Trace> open_trace(const std::string& path, const OpenOptions& options);

// An ETRecord among the paths is not a trace: it is joined to the ETDumps, as if it were options.etrecord.
// Likewise the files of a run belong to the chip swimlanes among the paths, and the directory of a run stands
// for the swimlane in it.
base::Result<trace::Trace> open_traces(std::span<const std::string> paths, const OpenOptions& options);

}  // namespace accelscope::formats::open
