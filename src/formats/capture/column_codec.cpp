#include "formats/capture/column_codec.h"

#include <algorithm>
#include <cstring>

#include "formats/capture/wire.h"

namespace accelscope::formats::capture {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;

// The difference of two values modulo their width, small in both directions: an id's "none" is one below 0.
std::int64_t signed_difference(std::uint64_t value, std::uint64_t before, unsigned unused_bits) {
  return static_cast<std::int64_t>((value - before) << unused_bits) >> unused_bits;
}

constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63U);
}
constexpr std::uint64_t unzigzag(std::uint64_t value) {
  return (value >> 1U) ^ (~(value & 1U) + 1U);
}

unsigned unused_bits_of(std::size_t width) {
  return static_cast<unsigned>(64 - 8 * width);
}

void append_raw(std::string& out, std::span<const std::uint64_t> words, std::size_t width) {
  const std::size_t start = out.size();
  out.resize(start + words.size() * width);
  char* place = out.data() + start;
  for (const std::uint64_t word : words)
    for (std::size_t byte = 0; byte < width; ++byte) *place++ = static_cast<char>(word >> (8U * byte));
}

// Appends the differences, unless that takes as much as the raw values do.
bool append_deltas(std::string& out, std::span<const std::uint64_t> words, std::size_t width) {
  const std::size_t start = out.size();
  const std::size_t raw_bytes = words.size() * width;
  out.resize(start + raw_bytes + kMaxVarintBytes);
  char* place = out.data() + start;
  const char* limit = place + raw_bytes;
  const unsigned unused_bits = unused_bits_of(width);
  std::uint64_t before = 0;
  for (const std::uint64_t word : words) {
    if (place >= limit) break;
    place = put_varint(place, zigzag(signed_difference(word, before, unused_bits)));
    before = word;
  }
  const bool shorter = place < limit;
  out.resize(shorter ? static_cast<std::size_t>(place - out.data()) : start);
  return shorter;
}

// Reads eight differences of one byte each, which most are, when that is what the next bytes hold.
bool read_eight(const char* place, std::uint64_t mask, std::uint64_t& value, std::uint64_t* words) {
  const std::uint64_t eight = little_endian(place, 8);
  if ((eight & kHighBits) != 0) return false;
  for (unsigned byte = 0; byte < 8; ++byte) {
    value += unzigzag(eight >> (8U * byte) & 0x7FU);
    words[byte] = value & mask;
  }
  return true;
}

bool read_deltas(std::string_view bytes, std::size_t width, std::span<std::uint64_t> words) {
  const std::uint64_t mask = ~std::uint64_t{0} >> unused_bits_of(width);
  std::uint64_t value = 0;
  std::size_t row = 0;
  // As long as no varint can reach beyond the end, nothing needs to be checked.
  while (row + 8 <= words.size() && bytes.size() >= 8 * kMaxVarintBytes) {
    const char* place = bytes.data();
    if (read_eight(place, mask, value, &words[row])) {
      place += 8;
    } else {
      for (std::size_t i = 0; i < 8; ++i) {
        std::uint64_t difference = 0;
        place = take_varint(place, difference);
        if (place == nullptr) return false;
        value += unzigzag(difference);
        words[row + i] = value & mask;
      }
    }
    row += 8;
    bytes.remove_prefix(static_cast<std::size_t>(place - bytes.data()));
  }
  WireReader in(bytes);
  for (; row < words.size(); ++row) {
    value += unzigzag(in.varint());
    words[row] = value & mask;
  }
  return in.good() && in.rest().empty();
}

bool read_raw(std::string_view bytes, std::size_t width, std::span<std::uint64_t> words) {
  if (bytes.size() != words.size() * width) return false;
  const char* place = bytes.data();
  for (std::uint64_t& word : words) {
    word = little_endian(place, width);
    place += width;
  }
  return true;
}

}  // namespace

Encoding append_words(std::string& out, std::span<const std::uint64_t> words, std::size_t width) {
  if (!words.empty() &&
      std::all_of(words.begin(), words.end(), [&](std::uint64_t word) { return word == words.front(); })) {
    append_raw(out, words.first(1), width);
    return Encoding::kConstant;
  }
  if (append_deltas(out, words, width)) return Encoding::kDelta;
  append_raw(out, words, width);
  return Encoding::kRaw;
}

bool read_words(Encoding encoding, std::string_view bytes, std::size_t width,
                std::span<std::uint64_t> words) {
  switch (encoding) {
    case Encoding::kRaw:
      return read_raw(bytes, width, words);
    case Encoding::kConstant:
      if (bytes.size() != width) return false;
      std::fill(words.begin(), words.end(), little_endian(bytes.data(), width));
      return true;
    case Encoding::kDelta:
      return read_deltas(bytes, width, words);
    case Encoding::kTexts:
      break;
  }
  return false;
}

void append_texts(std::string& out, std::span<const std::string_view> texts) {
  for (const std::string_view text : texts) append_varint(out, text.size());
  for (const std::string_view text : texts) out += text;
}

bool read_texts(std::string_view bytes, std::span<std::string_view> texts) {
  WireReader lengths(bytes);
  for (std::size_t i = 0; i < texts.size(); ++i) lengths.varint();
  if (!lengths.good()) return false;
  WireReader again(bytes);
  WireReader content(lengths.rest());
  for (std::string_view& text : texts) text = content.take(again.varint());
  return content.good() && content.rest().empty();
}

}  // namespace accelscope::formats::capture
