// Walks a document in indexed windows, so that the index costs a few megabytes instead of up to four bytes
// per byte of the file.
//
// A window ends behind a closing brace that is outside strings, or with the document; a value that is longer
// than a window gets a longer window. One thread uses one IndexedWindows; the document must outlive it, with
// 64 readable bytes behind its end.
//
//   IndexedWindows windows(file.text());
//   if (windows.load(0) == IndexOutcome::kIndexed)
//     for (std::uint32_t position : windows.current().positions) ...
//   windows.load(windows.current().end());                    // the next one
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "formats/chrome_json/structural_index.h"

namespace accelscope::formats::chrome_json {

struct Window {
  const char* text = nullptr;  // its first byte
  std::size_t offset = 0;      // of that byte in the document
  std::uint32_t size = 0;
  std::span<const std::uint32_t> positions = {};  // of tokens, from `text`
  bool has_backslash = false;                     // without one, no string of the window has an escape
  bool is_last = false;

  std::size_t end() const { return offset + size; }
};

class IndexedWindows {
 public:
  static constexpr std::size_t kWindowBytes = std::size_t{1} << 18;

  explicit IndexedWindows(std::string_view document, std::size_t window_bytes = kWindowBytes)
      : document_(document), window_bytes_(window_bytes) {}

  // Makes the window that begins at `offset`, which must be outside strings.
  IndexOutcome load(std::size_t offset) { return load_at_least(offset, window_bytes_); }
  // The same beginning as the current window, in twice the bytes.
  IndexOutcome grow() { return load_at_least(window_.offset, requested_bytes_ * 2); }

  // From now on the document ends here.
  void cut_at(std::size_t offset) { document_ = document_.substr(0, offset); }

  const Window& current() const { return window_; }

 private:
  IndexOutcome load_at_least(std::size_t offset, std::size_t bytes);

  std::string_view document_;
  std::size_t window_bytes_;
  std::size_t requested_bytes_ = 0;
  StructuralIndex index_;
  Window window_;
};

}  // namespace accelscope::formats::chrome_json
