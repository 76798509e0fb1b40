// Every distinct string once, named by a 32-bit id.
//
// Id 0 is the empty string in every interner. Text lives in blocks that never move, so a string_view obtained
// from an id stays valid as long as the interner does, also across moves of the interner; one that was moved
// from can only be assigned to or destroyed. Threads: one thread interns; any number may call text() once
// interning has ended.
//
//   StringInterner strings;
//   StringId id = strings.intern("Method::execute");
//   assert(strings.intern("Method::execute") == id && strings.text(id) == "Method::execute");
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace accelscope::base {

enum class StringId : std::uint32_t { kEmpty = 0 };

// The id as the position it is.
constexpr std::uint32_t index(StringId id) {
  return static_cast<std::uint32_t>(id);
}

class StringInterner {
 public:
  StringInterner();

  StringId intern(std::string_view text);
  // The id of a string that is already known; kEmpty is also the answer for one that is not.
  StringId find(std::string_view text) const;

  std::string_view text(StringId id) const { return texts_[index(id)]; }
  std::size_t size() const { return texts_.size(); }
  std::size_t memory_bytes() const;

 private:
  // A text's place in the table. Eight bytes, where a map of views takes over 64 per text: sources with a
  // text per event (request ids, addresses) must not outgrow their file.
  struct Slot {
    std::uint32_t id = 0;  // 0: free; the empty string is not in the table
    std::uint32_t hash = 0;
  };

  static std::uint32_t hash_of(std::string_view text);
  // The slot of this text, or the free one where it belongs.
  std::size_t find_slot(std::string_view text, std::uint32_t hash) const;
  void grow();
  std::string_view store(std::string_view text);

  static constexpr std::size_t kBlockBytes = std::size_t{64} * 1024;

  std::vector<Slot> slots_;  // a power of two of them, at most three quarters taken
  std::vector<std::string_view> texts_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t block_used_ = kBlockBytes;
  std::size_t stored_bytes_ = 0;
};

}  // namespace accelscope::base
