// Texts of cells on their way into a trace, which holds UTF-8 only.
//
// Internal to this folder. Free function; one thread per builder.
//
//   const StringId name = intern_cell(builder, cells[2]);
#pragma once

#include <string_view>

#include "base/utf8.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::timeline_csv {

// What is not UTF-8 in it is replaced.
inline trace::StringId intern_cell(trace::TraceBuilder& builder, std::string_view cell) {
  return base::is_valid_utf8(cell) ? builder.intern(cell) : builder.intern(base::replace_invalid_utf8(cell));
}

}  // namespace accelscope::formats::timeline_csv
