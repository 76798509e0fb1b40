// Findings as JSON, both ways. The form is described by docs/findings.schema.json.
//
// Writing then reading gives an equal document. Numbers are written so that they read back exactly; a value
// that is not finite is written as null. Reading trusts nothing: wrong types, missing members and unknown
// versions are errors with the place; unknown members are ignored, so that an older program reads a newer
// file of the same schema version. Pure functions; safe from any thread.
//
//   write_json(findings, file.output());
//   ACCELSCOPE_TRY(const Findings saved, read_json(mapped_file));
#pragma once

#include <string_view>

#include "base/mapped_file.h"
#include "base/output.h"
#include "base/result.h"
#include "findings/findings.h"

namespace accelscope::findings {

void write_json(const Findings& findings, base::Output& output);

// Whether the bytes look like findings: a JSON object whose first member is "accelscope_findings".
bool is_findings(std::string_view bytes);
base::Result<Findings> read_json(const base::MappedFile& file);

}  // namespace accelscope::findings
