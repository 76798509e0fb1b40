#include "boards/binary_size.h"

#include <string>

#include "base/human.h"

namespace accelscope::boards {
namespace {

char in_capitals(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

// "512mib" as "512M", which base::parse_size() means the same by; other units stay what they are.
std::string with_bare_unit(std::string_view text) {
  std::string plain;
  for (const char c : text) plain += in_capitals(c);
  if (plain.ends_with('B')) plain.pop_back();
  const std::string_view unit = std::string_view(plain).substr(plain.size() < 2 ? 0 : plain.size() - 2);
  if (unit == "KI" || unit == "MI" || unit == "GI") plain.pop_back();
  return plain;
}

}  // namespace

base::Result<base::Bytes> parse_binary_size(std::string_view text) {
  const std::string plain = with_bare_unit(text);
  const bool known_unit = !plain.ends_with('T') && !plain.ends_with('P');
  const base::Result<base::Bytes> size = base::parse_size(plain);
  if (!size || !known_unit || size->value <= 0)
    return base::fail(base::ErrorCode::kUsage,
                      "'{}' is no size of a memory: expected a number above zero, in bytes or with K, M or G "
                      "(powers of 1024), such as 512M or 1.5GiB",
                      text);
  return *size;
}

}  // namespace accelscope::boards
