// Text as Python prints it: fixed decimals, columns padded by characters, JSON in ASCII.
//
// Texts are UTF-8; one character is one code point, as in Python, however wide it is shown. Pure; safe from
// any thread.
//
//   fixed(0.2615, 2)            -> "0.26"          fixed(NaN, 2)  -> "nan"
//   padded("Gewölbe", 9)        -> "Gewölbe  "
//   python_json_string("ö")     -> "\"\\u00f6\""
#pragma once

#include <string>
#include <string_view>

#include "base/json_writer.h"

namespace accelscope::compat {

// f"{value:.<decimals>f}", and with a width, f"{value:><width>.<decimals>f}".
std::string fixed(double value, int decimals);
std::string fixed(double value, int decimals, std::size_t width);
// f"{text:<width>}"
std::string padded(std::string_view text, std::size_t width);
// text[:keep] + "..." where it has more than `limit` characters.
std::string shortened(std::string_view text, std::size_t limit, std::size_t keep);

// json.dumps(text)
std::string python_json_string(std::string_view text);

// Members as json.dump writes them, but for NaN and infinities: Python writes the bare words, which no JSON
// parser but its own reads; here they are null.
void python_member(base::JsonWriter& json, std::string_view key, double value);
void python_member(base::JsonWriter& json, std::string_view key, std::string_view text);
void python_value(base::JsonWriter& json, double value);

}  // namespace accelscope::compat
