#include "base/string_interner.h"

#include <xxhash.h>

#include <cstring>

namespace accelscope::base {

std::uint32_t StringInterner::hash_of(std::string_view text) {
  const std::uint64_t hash = XXH3_64bits(text.data(), text.size());
  return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

StringInterner::StringInterner() : slots_(64) {
  texts_.emplace_back();
}

std::size_t StringInterner::find_slot(std::string_view text, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t place = hash & mask;
  while (slots_[place].id != 0 && (slots_[place].hash != hash || texts_[slots_[place].id] != text))
    place = (place + 1) & mask;
  return place;
}

void StringInterner::grow() {
  std::vector<Slot> larger(slots_.size() * 2);
  const std::size_t mask = larger.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.id == 0) continue;
    std::size_t place = slot.hash & mask;
    while (larger[place].id != 0) place = (place + 1) & mask;
    larger[place] = slot;
  }
  slots_ = std::move(larger);
}

StringId StringInterner::intern(std::string_view text) {
  if (text.empty()) return StringId::kEmpty;
  const std::uint32_t hash = hash_of(text);
  std::size_t place = find_slot(text, hash);
  if (slots_[place].id != 0) return static_cast<StringId>(slots_[place].id);
  if (texts_.size() >= slots_.size() / 4 * 3) {
    grow();
    place = find_slot(text, hash);
  }
  const auto id = static_cast<std::uint32_t>(texts_.size());
  texts_.push_back(store(text));
  slots_[place] = {id, hash};
  return static_cast<StringId>(id);
}

StringId StringInterner::find(std::string_view text) const {
  return text.empty() ? StringId::kEmpty : static_cast<StringId>(slots_[find_slot(text, hash_of(text))].id);
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
  return stored_bytes_ + texts_.capacity() * sizeof(std::string_view) + slots_.size() * sizeof(Slot);
}

}  // namespace accelscope::base
