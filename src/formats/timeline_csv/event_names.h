// What the names and backends in the kit's files say about an event.
//
// Internal to this folder. Pure functions; safe from any thread.
//
//   role_of_row("native_call_add.out", false)  -> EventRole::kOperator
//   backend_of_prefix("xnnpack::conv")         -> "xnnpack"
#pragma once

#include <string_view>

#include "trace/executorch_names.h"

namespace accelscope::formats::timeline_csv {

// `delegated`: the row's backend column names a backend.
trace::EventRole role_of_row(std::string_view name, bool delegated);

// True for a backend column that names a backend: anything but nothing and "portable".
bool names_a_backend(std::string_view backend);
// "aten", "xnnpack" or "qnnpack" for names that begin with one of these and "::"; else empty.
std::string_view backend_of_prefix(std::string_view name);

}  // namespace accelscope::formats::timeline_csv
