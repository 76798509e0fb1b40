// What the names and backends in the kit's files say about an event.
//
// Internal to this folder. Pure functions; safe from any thread.
//
//   event_kind("native_call_add.out", false)   -> EventKind::kOperator
//   backend_of_prefix("xnnpack::conv")         -> "xnnpack"
#pragma once

#include <string_view>

namespace accelscope::formats::timeline_csv {

enum class EventKind : unsigned char {
  kExecute,
  kStep,
  kLoad,
  kOperatorCall,
  kOperator,
  kDelegateCall,
  kDelegateOperator,
  kControl,
};

// `delegated`: the row's backend column names a backend.
EventKind event_kind(std::string_view name, bool delegated);
// The word of trace/vocabulary.h for it.
std::string_view category_of(EventKind kind);

// True for a backend column that names a backend: anything but nothing and "portable".
bool names_a_backend(std::string_view backend);
// "aten", "xnnpack" or "qnnpack" for names that begin with one of these and "::"; else empty.
std::string_view backend_of_prefix(std::string_view name);

}  // namespace accelscope::formats::timeline_csv
