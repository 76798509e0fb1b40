// Finds the byte at which text stops being JSON, once the index pass has said that it does. Slow on purpose:
// it runs once, for the message.
//
// Pure functions, safe from any thread.
//
//   Problem problem = diagnose(IndexOutcome::kInvalidUtf8, file.text(), window_offset);
#pragma once

#include <string_view>

#include "formats/chrome_json/json_walker.h"

namespace accelscope::formats::chrome_json {

// `from` is an offset outside strings, before which all is well.
Problem diagnose(IndexOutcome outcome, std::string_view document, std::size_t from);

// The document ends inside the value that begins at `from`: says so, and what exactly is cut.
Problem diagnose_end(std::string_view document, std::size_t from, std::string_view what);

}  // namespace accelscope::formats::chrome_json
