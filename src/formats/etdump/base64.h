// Base64 as boards print it: the usual alphabet, padded or not.
//
// Pure functions, safe from any thread; results are owned by the caller.
//
//   std::string text = encode_base64(bytes);
//   std::optional<std::string> bytes = decode_base64(text);   // nothing when a character does not belong
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace accelscope::formats::etdump {

std::string encode_base64(std::string_view bytes);

// Nothing when a character is not of the alphabet, when padding is not at the end, or when one character is
// left over.
std::optional<std::string> decode_base64(std::string_view text);

bool is_base64_character(char c);  // '=' included

}  // namespace accelscope::formats::etdump
