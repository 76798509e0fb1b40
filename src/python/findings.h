// What Python gets of findings, and of the files that a job wrote.
//
// Used with the GIL held. A Findings object in Python owns its document.
//
//   return findings_object({std::move(outcome.findings), std::move(outcome.files)});
#pragma once

#include <vector>

#include "findings/findings.h"
#include "jobs/written_file.h"
#include "python/border.h"
#include "trace/quality.h"

namespace accelscope::python {

struct FoundThings {
  findings::Findings document = {};
  std::vector<jobs::WrittenFile> files = {};
};

py::list files_list(const std::vector<jobs::WrittenFile>& files);
// Errors first.
py::list quality_list(const trace::QualityTable& quality);

}  // namespace accelscope::python
