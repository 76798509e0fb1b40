// Where the tokens of a stretch of JSON begin: the index pass of simdjson, and the only place that knows that
// library.
//
// A position is listed for every bracket, comma and colon outside strings, for the opening quotation mark of
// every string and for the first byte of every number, true, false or null. UTF-8 and control characters in
// strings are checked on the way. One thread uses one index, which owns its memory and reuses it.
//
//   StructuralIndex index;
//   if (index.build("[1, 2]", 6) == IndexOutcome::kIndexed) index.positions();   // 0 1 2 4 5
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace accelscope::formats::chrome_json {

enum class IndexOutcome : std::uint8_t {
  kIndexed,
  kEndsInsideString,
  kControlCharacter,  // a raw control character inside a string
  kInvalidUtf8,
  kNoMemory,
};

class StructuralIndex {
 public:
  StructuralIndex();
  StructuralIndex(const StructuralIndex&) = delete;
  StructuralIndex& operator=(const StructuralIndex&) = delete;
  ~StructuralIndex();

  // The stretch must begin outside strings. 64 bytes behind it must be readable.
  IndexOutcome build(const char* text, std::uint32_t size);

  // Of the latest build that succeeded. One more entry, equal to the size, may be read behind the last.
  std::span<const std::uint32_t> positions() const;

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace accelscope::formats::chrome_json
