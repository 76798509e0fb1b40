// The fuzz targets of all trace readers, each called by its name: whatever the bytes, a reader answers with a
// trace or an error that names the file.
#include <cstdint>
#include <string_view>

#include "base/mapped_file.h"
#include "formats/etrecord/etrecord.h"
#include "formats/gzip/gzip.h"
#include "formats/open/readers.h"
#include "require.h"
#include "target_name.h"
#include "trace/self_time.h"
#include "trace/summary.h"

namespace {

using accelscope::base::MappedFile;
namespace formats = accelscope::formats;
namespace trace = accelscope::trace;

std::string_view g_target;  // the name of a reader
constexpr std::string_view kName = "fuzzed-input";

template <class T>
void check_error(const accelscope::base::Result<T>& result) {
  if (result) return;
  require(!result.error().message.empty(), "an error has a message");
  require(result.error().where.file == kName, "an error names the file");
}

void check_trace(const trace::Trace& read) {
  const trace::TraceSummary summary = trace::summarise(read);
  require(summary.slices == read.slices().size(), "the summary counts every slice");
  for (std::uint32_t track = 0; track < read.tracks().size(); ++track) {
    const trace::RowRange rows = read.slices_of(trace::TrackId{track});
    for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
      require(read.slices().duration[row].value >= 0, "no slice has a negative duration");
      require(row == rows.first || read.slices().start[row - 1] <= read.slices().start[row],
              "slices are in time order");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  g_target = target_name(*argc, *argv);
  require(g_target == "etrecord" || g_target == "gzip" || formats::open::reader_named(g_target) != nullptr,
          "the target is a reader");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const MappedFile file = MappedFile::from_memory(
      std::string(kName), std::string_view(reinterpret_cast<const char*>(data), size));
  if (g_target == "etrecord") {
    check_error(formats::etrecord::read(file));
  } else if (g_target == "gzip") {
    check_error(formats::gzip::gunzip(file));
  } else {
    const formats::open::Reader* reader = formats::open::reader_named(g_target);
    reader->recognises(file.text());
    const auto result = reader->read(file, {});
    check_error(result);
    if (result) check_trace(*result);
  }
  return 0;
}
