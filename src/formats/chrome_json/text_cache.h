// A small cache before the interner: most keys, categories and short values of a trace are the same few.
//
// Each text of up to 16 bytes has one place, told by its bytes; a miss asks the interner and takes the place.
// One thread uses one cache; the builder must outlive it.
//
//   ShortTextCache cache(builder);
//   StringId id = cache.intern(text);   // 16 bytes from text.data() on must be readable
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "trace/trace_builder.h"

namespace accelscope::formats::chrome_json {

class ShortTextCache {
 public:
  explicit ShortTextCache(trace::TraceBuilder& builder) : builder_(builder) {}

  trace::StringId intern(std::string_view text) {
    constexpr std::size_t kMaxBytes = 16;
    if (text.empty() || text.size() > kMaxBytes) return builder_.intern(text);
    Entry wanted;
    std::memcpy(&wanted.low, text.data(), sizeof wanted.low);
    std::memcpy(&wanted.high, text.data() + sizeof wanted.low, sizeof wanted.high);
    wanted.size = static_cast<std::uint32_t>(text.size());
    if (wanted.size <= sizeof wanted.low) {
      wanted.low &= first_bytes(wanted.size);
      wanted.high = 0;
    } else {
      wanted.high &= first_bytes(wanted.size - static_cast<std::uint32_t>(sizeof wanted.low));
    }
    Entry& known = entries_[place(wanted)];
    if (known.low == wanted.low && known.high == wanted.high && known.size == wanted.size) return known.id;
    wanted.id = builder_.intern(text);
    known = wanted;
    return wanted.id;
  }

 private:
  struct Entry {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint32_t size = 0;
    trace::StringId id = trace::StringId::kEmpty;
  };
  static constexpr unsigned kPlaceBits = 9;

  // A mask of the first 1 to 8 bytes in memory.
  static std::uint64_t first_bytes(std::uint32_t count) {
    static_assert(std::endian::native == std::endian::little);
    return ~std::uint64_t{0} >> (64U - 8U * count);
  }
  static std::size_t place(const Entry& entry) {
    const std::uint64_t mixed =
        (entry.low ^ (entry.high * 0x9E3779B97F4A7C15U) ^ entry.size) * 0xD6E8FEB86659FD93U;
    return mixed >> (64U - kPlaceBits);
  }

  trace::TraceBuilder& builder_;
  std::array<Entry, std::size_t{1} << kPlaceBits> entries_;
};

}  // namespace accelscope::formats::chrome_json
