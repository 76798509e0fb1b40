// What the escapes in a JSON string stand for.
//
// A pure function, safe from any thread.
//
//   std::string text;
//   if (const auto bad = unescape_json(R"(a\u00e9\n)", text)) report_at(*bad);
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace accelscope::base {

// Puts the text between the quotation marks, without its escapes, into `result`. The answer is the offset of
// the first escape that JSON does not have, or nothing. Half a surrogate pair becomes U+FFFD: JavaScript
// writes such strings, and UTF-8 cannot hold them.
std::optional<std::size_t> unescape_json(std::string_view text, std::string& result);

}  // namespace accelscope::base
