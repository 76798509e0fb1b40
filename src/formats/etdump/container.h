// Where the dumps are in a file: with or without the four bytes of size in front, one or several in a row.
//
// The runtime writes the size; tools that go through JSON do not. Files get concatenated, padded and cut.
// Pure functions over bytes that the caller keeps; safe from any thread.
//
//   ACCELSCOPE_TRY(const Container container, find_dumps(file.path(), file.text()));
//   for (const DumpExtent& dump : container.dumps) read(file.text().substr(dump.offset, dump.size));
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/etdump/damage.h"

namespace accelscope::formats::etdump {

struct DumpExtent {
  std::size_t offset = 0;
  std::size_t size = 0;
  Prefix prefix = Prefix::kSize;
};

struct Container {
  std::vector<DumpExtent> dumps;  // at least one
  std::size_t trailing_bytes = 0;
  // A further dump that is announced but not all there; those before it are fine.
  std::optional<base::Error> cut_off;
};

// The layout by where "ED00" is; nothing when it is at neither place.
std::optional<Prefix> detect_prefix(std::string_view bytes);

base::Result<Container> find_dumps(const std::string& path, std::string_view bytes);

}  // namespace accelscope::formats::etdump
