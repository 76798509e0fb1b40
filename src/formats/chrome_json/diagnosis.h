// Finds the byte at which text stops being JSON, once the index pass has said that it does. Slow on purpose:
// it runs once, for the message.
//
// Pure functions, safe from any thread.
//
//   const Damage damage = diagnose(IndexOutcome::kInvalidUtf8, file.text(), window_offset);
#pragma once

#include <string_view>

#include "formats/chrome_json/json_walker.h"

namespace accelscope::formats::chrome_json {

struct Damage {
  Problem problem;
  std::size_t sound_until = 0;  // what lies before can be indexed, and ends outside strings
};

// `from` is an offset outside strings, before which all is well.
Damage diagnose(IndexOutcome outcome, std::string_view document, std::size_t from);

// The document ends inside the value that begins at `from`.
Problem diagnose_end(std::string_view document, std::size_t from, std::string_view what);

}  // namespace accelscope::formats::chrome_json
