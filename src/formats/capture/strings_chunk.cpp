#include "formats/capture/strings_chunk.h"

#include <algorithm>
#include <vector>

#include "formats/capture/column_codec.h"
#include "formats/capture/rows_chunk.h"
#include "formats/capture/wire.h"

namespace accelscope::formats::capture {
namespace {

// Texts of one chunk, of which the last may go on in the next.
struct Piece {
  std::uint32_t first = 0;
  std::vector<std::string_view> texts = {};
  std::size_t bytes = 0;
  bool goes_on = false;
};

std::string encode(const Piece& piece) {
  std::string payload;
  append_u32(payload, piece.first);
  append_u32(payload, static_cast<std::uint32_t>(piece.texts.size()));
  append_u8(payload, piece.goes_on ? 1 : 0);
  append_texts(payload, piece.texts);
  return payload;
}

}  // namespace

void for_each_strings_chunk(const base::StringInterner& strings,
                            const std::function<void(std::uint64_t items, std::string_view payload)>& visit) {
  Piece piece;
  const auto close = [&](std::uint32_t next, bool goes_on) {
    piece.goes_on = goes_on;
    visit(piece.texts.size(), encode(piece));
    piece = {next, {}, 0, false};
  };
  piece.first = 1;
  for (std::uint32_t id = 1; id < strings.size(); ++id) {
    std::string_view text = strings.text(base::StringId{id});
    while (piece.bytes + text.size() > kTextBytesOfChunk) {
      const std::size_t fits = kTextBytesOfChunk - piece.bytes;
      piece.texts.push_back(text.substr(0, fits));
      close(id, true);
      text.remove_prefix(fits);
    }
    piece.texts.push_back(text);
    piece.bytes += text.size();
    if (piece.texts.size() >= kMaxRowsOfChunk) close(id + 1, false);
  }
  if (!piece.texts.empty()) close(0, false);
}

bool StringsCollector::take(std::string_view payload) {
  WireReader in(payload);
  const std::uint32_t first = in.u32();
  const std::uint32_t count = in.u32();
  const std::uint8_t goes_on = in.u8();
  if (!in.good() || first != strings_.size() || count == 0 || count > kMaxRowsOfChunk || goes_on > 1)
    return false;
  std::vector<std::string_view> texts(count);
  if (!read_texts(in.rest(), texts)) return false;
  begun_ += texts.front();
  texts.front() = begun_;
  const std::size_t whole = texts.size() - goes_on;
  for (std::size_t i = 0; i < whole; ++i)
    if (index(strings_.intern(texts[i])) != first + i) return false;
  begun_ = goes_on == 1 ? std::string(texts.back()) : std::string();
  return true;
}

}  // namespace accelscope::formats::capture
