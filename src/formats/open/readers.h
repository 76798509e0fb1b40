// The registry of readers: every format that can become a Trace, how it is recognised, and how it is read.
//
// The program, the tests and the fuzz targets all walk this one list. Constant; safe from any thread.
//
//   for (const Reader& reader : readers())
//     if (reader.recognises(file.text())) return reader.read(file, options);
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/mapped_file.h"
#include "base/result.h"
#include "formats/etdump/time_unit.h"
#include "trace/trace.h"

namespace accelscope::formats::open {

struct ReadOptions {
  std::optional<etdump::TimeUnit> time_unit = std::nullopt;  // of ETDump files, which do not say
  bool keep_args = true;
  // Called now and then while a large file is read, and at its end, when given.
  std::function<void(const std::string& path, std::uint64_t bytes_done, std::uint64_t bytes_total)> progress =
      {};
};

struct Reader {
  std::string_view name;         // "etdump"
  std::string_view description;  // "ETDump: what the ExecuTorch runtime records"
  bool (*recognises)(std::string_view bytes);
  base::Result<trace::Trace> (*read)(const base::MappedFile& file, const ReadOptions& options);
};

// In the order in which they are asked.
std::span<const Reader> readers();
// The reader that recognises these bytes, or nullptr.
const Reader* reader_for(std::string_view bytes);
const Reader* reader_named(std::string_view name);

}  // namespace accelscope::formats::open
