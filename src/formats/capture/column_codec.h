// Columns as bytes: the values of one column of one chunk, in the shortest of a few plain encodings. zstd
// packs the chunk afterwards.
//
// Pure functions; a word is a value of up to eight bytes in its low bits. Decoders check everything and give
// nothing when the bytes do not make exactly the rows that were asked for.
//
//   std::string bytes;
//   const Encoding encoding = append_words(bytes, words, 4);
//   std::vector<std::uint64_t> again(words.size());
//   if (!read_words(encoding, bytes, 4, again)) ...
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/units.h"

namespace accelscope::formats::capture {

enum class Encoding : std::uint8_t {
  kRaw = 0,       // every value in the column's width, little-endian
  kConstant = 1,  // one value, for all rows
  kDelta = 2,     // differences to the row before (the first to 0), modulo the width, as zigzag varints
  kTexts = 3,     // the length of every text as a varint, then all texts
};

Encoding append_words(std::string& out, std::span<const std::uint64_t> words, std::size_t width);
bool read_words(Encoding encoding, std::string_view bytes, std::size_t width, std::span<std::uint64_t> words);

void append_texts(std::string& out, std::span<const std::string_view> texts);
// The texts are views of `bytes`.
bool read_texts(std::string_view bytes, std::span<std::string_view> texts);

// A value of a column as a word, and back.
template <class T>
std::uint64_t to_word(T value) {
  if constexpr (std::is_same_v<T, base::Ticks>)
    return static_cast<std::uint64_t>(value.value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(value);
  else if constexpr (std::is_enum_v<T>)
    return static_cast<std::underlying_type_t<T>>(value);
  else
    return static_cast<std::uint64_t>(value);
}

template <class T>
T from_word(std::uint64_t word) {
  if constexpr (std::is_same_v<T, base::Ticks>)
    return {static_cast<std::int64_t>(word)};
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(word);
  else if constexpr (std::is_same_v<T, bool>)
    return word != 0;
  else
    return static_cast<T>(word);
}

}  // namespace accelscope::formats::capture
