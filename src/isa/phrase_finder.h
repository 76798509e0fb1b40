// Which of a set of phrases are in a text, in one pass over it however many phrases there are.
//
// The comments of a large listing are looked through for some fifty phrases; one search for each would take
// longer than reading the listing. Immutable once made: any number of threads may ask.
//
//   const PhraseFinder finder({"router token", "subblock ["}, PhraseFinder::Case::kIgnored);
//   finder.find("; SubBlock [3]")   // 0b10
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace accelscope::isa {

class PhraseFinder {
 public:
  enum class Case : std::uint8_t { kMatters, kIgnored };

  // At most 64 phrases, none of them empty.
  PhraseFinder(std::span<const std::string_view> phrases, Case letters);

  // Bit i is set where the text has phrase i.
  std::uint64_t find(std::string_view text) const {
    std::uint64_t found = 0;
    std::size_t state = 0;
    for (const char c : text) {
      state = next_[state * kinds_ + kind_of_[static_cast<unsigned char>(c)]];
      found |= ends_[state];
    }
    return found;
  }

 private:
  std::array<std::uint8_t, 256> kind_of_{};  // 0: a character of no phrase
  std::size_t kinds_ = 1;
  std::vector<std::uint16_t> next_;  // by state and kind of character
  std::vector<std::uint64_t> ends_;  // by state: the phrases that end in it
};

}  // namespace accelscope::isa
