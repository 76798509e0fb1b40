#include "base/string_interner.h"

#include <xxhash.h>

#include <cstring>

namespace accelscope::base {

std::size_t StringInterner::Hash::operator()(std::string_view text) const noexcept {
  return XXH3_64bits(text.data(), text.size());
}

StringInterner::StringInterner() {
  texts_.emplace_back();
}

StringId StringInterner::intern(std::string_view text) {
  if (text.empty()) return StringId::kEmpty;
  const std::size_t hash = Hash{}(text);
  if (const auto found = ids_.find(text, hash); found != ids_.end())
    return static_cast<StringId>(found->second);
  const auto id = static_cast<std::uint32_t>(texts_.size());
  const std::string_view stored = store(text);
  texts_.push_back(stored);
  ids_.emplace(stored, id);
  return static_cast<StringId>(id);
}

StringId StringInterner::find(std::string_view text) const {
  const auto found = ids_.find(text);
  return found == ids_.end() ? StringId::kEmpty : static_cast<StringId>(found->second);
}

std::string_view StringInterner::store(std::string_view text) {
  stored_bytes_ += text.size();
  if (text.size() > kBlockBytes / 4) {
    // A long text gets a block of its own, placed before the open one so that the open one stays last.
    auto block = std::make_unique_for_overwrite<char[]>(text.size());
    std::memcpy(block.get(), text.data(), text.size());
    const std::string_view stored(block.get(), text.size());
    blocks_.insert(blocks_.empty() ? blocks_.end() : blocks_.end() - 1, std::move(block));
    return stored;
  }
  if (block_used_ + text.size() > kBlockBytes) {
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(kBlockBytes));
    block_used_ = 0;
  }
  char* place = blocks_.back().get() + block_used_;
  std::memcpy(place, text.data(), text.size());
  block_used_ += text.size();
  return {place, text.size()};
}

std::size_t StringInterner::memory_bytes() const {
  // A bucket holds the pair, half of the hash, and its distance from where it wanted to be.
  constexpr std::size_t kBucketBytes = sizeof(IdOfText) + 8;
  return stored_bytes_ + texts_.capacity() * sizeof(std::string_view) + ids_.bucket_count() * kBucketBytes;
}

}  // namespace accelscope::base
