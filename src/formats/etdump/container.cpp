#include "formats/etdump/container.h"

#include <fmt/core.h>

#include "formats/etdump/flat_view.h"

namespace accelscope::formats::etdump {
namespace {

using base::ErrorCode;
using base::Location;

constexpr std::string_view kIdentifier = "ED00";
constexpr std::size_t kSmallestDump = 12;

std::string printable(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += c >= ' ' && c <= '~' ? c : '.';
  return text;
}

base::Error not_an_etdump(const std::string& path, std::string_view bytes) {
  if (bytes.empty())
    return {ErrorCode::kTruncated, "the file is empty; an ETDump begins with a size and 'ED00'",
            Location::byte(path, 0)};
  if (bytes.size() < kSmallestDump)
    return {ErrorCode::kTruncated,
            fmt::format("{} bytes are too few for an ETDump ('{}')", bytes.size(), printable(bytes)),
            Location::byte(path, bytes.size())};
  return {ErrorCode::kUnknownFormat,
          fmt::format("not an ETDump: 'ED00' is expected at byte 8 (or 4), the file has '{}' there ('{}')",
                      printable(bytes.substr(8, 4)), printable(bytes.substr(4, 4))),
          Location::byte(path, 8)};
}

base::Result<DumpExtent> dump_at(const std::string& path, std::string_view bytes, std::size_t offset) {
  const std::string_view rest = bytes.substr(offset);
  const std::optional<Prefix> prefix = detect_prefix(rest);
  if (!prefix) return tl::unexpected(not_an_etdump(path, rest));
  std::size_t size = rest.size();
  if (*prefix == Prefix::kSize) {
    size = std::size_t{load<std::uint32_t>(rest.data())} + 4;
    if (size > rest.size())
      return base::fail_at(Location::byte(path, offset), ErrorCode::kTruncated,
                           "the size in front announces {} bytes, {} are there: the file was cut off; record "
                           "or copy it again",
                           size, rest.size());
    if (size < kSmallestDump)
      return base::fail_at(Location::byte(path, offset), ErrorCode::kMalformed,
                           "the size in front announces {} bytes, fewer than the header has", size);
  }
  if (size > kMaxDumpBytes)
    return base::fail_at(Location::byte(path, offset), ErrorCode::kTooLarge,
                         "a dump of {} bytes is beyond FlatBuffers' limit of {}", size, kMaxDumpBytes);
  return DumpExtent{offset, size, *prefix};
}

}  // namespace

std::optional<Prefix> detect_prefix(std::string_view bytes) {
  if (bytes.size() < kSmallestDump) return std::nullopt;
  // Where both match, the first four bytes are no plausible size: the text "ED00" would be the root offset.
  if (bytes.substr(4, 4) == kIdentifier) return Prefix::kNone;
  if (bytes.substr(8, 4) == kIdentifier) return Prefix::kSize;
  return std::nullopt;
}

base::Result<Container> find_dumps(const std::string& path, std::string_view bytes) {
  Container container;
  std::size_t offset = 0;
  do {
    base::Result<DumpExtent> dump = dump_at(path, bytes, offset);
    if (!dump && container.dumps.empty()) return tl::unexpected(std::move(dump).error());
    if (!dump) {
      container.cut_off = std::move(dump).error();
      return container;
    }
    offset += dump->size;
    container.dumps.push_back(*dump);
  } while (detect_prefix(bytes.substr(offset)));
  container.trailing_bytes = bytes.size() - offset;
  return container;
}

}  // namespace accelscope::formats::etdump
