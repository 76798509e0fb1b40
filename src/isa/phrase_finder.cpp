#include "isa/phrase_finder.h"

#include <cctype>

namespace accelscope::isa {

// The automaton of Aho and Corasick: a state is the longest beginning of a phrase that the text read so far
// ends in.
PhraseFinder::PhraseFinder(std::span<const std::string_view> phrases, Case letters) {
  const auto folded = [letters](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return letters == Case::kIgnored ? static_cast<unsigned char>(std::tolower(byte)) : byte;
  };
  for (const std::string_view phrase : phrases)
    for (const char c : phrase)
      if (std::uint8_t& kind = kind_of_[folded(c)]; kind == 0) kind = static_cast<std::uint8_t>(kinds_++);
  if (letters == Case::kIgnored)
    for (unsigned char c = 'A'; c <= 'Z'; ++c)
      kind_of_[c] = kind_of_[static_cast<unsigned char>(c + ('a' - 'A'))];

  // First the tree of all phrases; 0 stands for "no child", as no child is the root.
  next_.assign(kinds_, 0);
  ends_.assign(1, 0);
  for (std::size_t i = 0; i < phrases.size(); ++i) {
    std::size_t state = 0;
    for (const char c : phrases[i]) {
      const std::size_t edge = state * kinds_ + kind_of_[folded(c)];
      if (next_[edge] == 0) {
        next_[edge] = static_cast<std::uint16_t>(ends_.size());
        ends_.push_back(0);
        next_.resize(next_.size() + kinds_, 0);
      }
      state = next_[edge];
    }
    ends_[state] |= std::uint64_t{1} << i;
  }

  // Then, level by level, what follows where the tree has no child: what follows the next shorter beginning.
  std::vector<std::uint16_t> shorter(ends_.size(), 0);
  std::vector<std::uint16_t> queue;
  for (std::size_t kind = 0; kind < kinds_; ++kind)
    if (next_[kind] != 0) queue.push_back(next_[kind]);
  for (std::size_t done = 0; done < queue.size(); ++done) {
    const std::size_t state = queue[done];
    ends_[state] |= ends_[shorter[state]];
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
      std::uint16_t& child = next_[state * kinds_ + kind];
      const std::uint16_t fallback = next_[shorter[state] * kinds_ + kind];
      if (child != 0) {
        shorter[child] = fallback;
        queue.push_back(child);
      } else {
        child = fallback;
      }
    }
  }
}

}  // namespace accelscope::isa
