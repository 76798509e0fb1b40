// The texts of a trace as payloads of chunks: in the order of their ids, without the empty one. A text that
// is too long for one chunk goes on in the next.
//
// The collector owns the texts it was given so far. One thread uses one of them.
//
//   for_each_strings_chunk(trace.strings(), [&](std::uint64_t items, std::string_view payload) { ... });
//   StringsCollector collector;
//   if (!collector.take(payload)) ...
//   base::StringInterner strings = std::move(collector).strings();
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/string_interner.h"

namespace accelscope::formats::capture {

// Bytes of text after which a chunk is full.
inline constexpr std::size_t kTextBytesOfChunk = std::size_t{1} << 20U;

void for_each_strings_chunk(const base::StringInterner& strings,
                            const std::function<void(std::uint64_t items, std::string_view payload)>& visit);

class StringsCollector {
 public:
  // False when this is no payload of texts that follow those before, or a text is there twice.
  bool take(std::string_view payload);
  // What is whole of them.
  base::StringInterner strings() && { return std::move(strings_); }

 private:
  base::StringInterner strings_;
  std::string begun_;  // of a text that goes on in the next chunk
};

}  // namespace accelscope::formats::capture
