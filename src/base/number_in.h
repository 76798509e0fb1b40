// A text that is a number and nothing else.
//
// A pure function, safe from any thread.
//
//   number_in<std::int32_t>("-1")              // -1
//   number_in<std::uint64_t>("1f", 16)         // 31
//   number_in<std::uint64_t>("12 ")            // nothing
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>

namespace accelscope::base {

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

template <std::integral Number>
std::optional<Number> number_in(std::string_view text, int radix) {
  Number value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value, radix);
  if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace accelscope::base
