#include <algorithm>

#include "analysis/name_grammar.h"
#include "analysis/name_tokens.h"

namespace accelscope::analysis {
namespace {

constexpr std::size_t kLongestPhrase = 3;

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

// "MyLayerNorm2d_out" is {mylayernorm2d, out}, or with `at_capitals` {my, layer, norm2d, out}.
std::vector<std::string> words_of(std::string_view text, bool at_capitals) {
  std::vector<std::string> words;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_letter_or_digit(text[i])) {
      inside = false;
      continue;
    }
    const bool capital = at_capitals && i > 0 && is_upper(text[i]) && !is_upper(text[i - 1]);
    if (!inside || capital) words.emplace_back();
    words.back() += is_upper(text[i]) ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
    inside = true;
  }
  return words;
}

const NameRow* longest_phrase(const std::vector<std::string>& words, std::size_t first, std::size_t& length) {
  for (length = std::min(kLongestPhrase, words.size() - first); length > 0; --length) {
    std::string phrase = words[first];
    for (std::size_t i = 1; i < length; ++i) phrase += "_" + words[first + i];
    if (const NameRow* row = find_name_token(phrase)) return row;
  }
  length = 1;
  return nullptr;
}

const NameRow* best_word(const std::vector<std::string>& words) {
  const NameRow* best = nullptr;
  for (std::size_t first = 0; first < words.size();) {
    std::size_t length = 1;
    const NameRow* row = longest_phrase(words, first, length);
    if (row != nullptr && (best == nullptr || rank_of(row->category) < rank_of(best->category))) best = row;
    first += length;
  }
  return best;
}

}  // namespace

int rank_of(Category category) {
  switch (category) {
    case Category::kAttention:
      return 0;
    case Category::kConvolution:
      return 1;
    case Category::kGemm:
      return 2;
    case Category::kNormalisation:
      return 3;
    case Category::kPoolingReduction:
      return 4;
    case Category::kEmbeddingIndex:
      return 5;
    case Category::kResize:
      return 6;
    case Category::kConvertQuantise:
      return 7;
    case Category::kElementwise:
      return 8;
    case Category::kDataMovement:
      return 9;
    case Category::kControl:
      return 10;
    default:
      return 11;
  }
}

const NameRow* find_by_words(std::string_view text) {
  const NameRow* row = best_word(words_of(text, false));
  return row != nullptr ? row : best_word(words_of(text, true));
}

}  // namespace accelscope::analysis
