#include "formats/chrome_json/reader.h"

#include "base/human.h"
#include "formats/chrome_json/document.h"

namespace accelscope::formats::chrome_json {

base::Result<trace::Trace> read(const base::MappedFile& file, const Options& options) {
  // The index counts bytes in 32 bits.
  constexpr std::size_t kMaxBytes = 0xFFFFFFFF;
  if (file.size() > kMaxBytes)
    return base::fail_at(
        base::Location::of_file(file.path()), base::ErrorCode::kTooLarge,
        "{} of JSON in one document; at most 4 GiB can be read: record less, or split the list of "
        "events over several files",
        base::format_size(base::Bytes{static_cast<std::int64_t>(file.size())}));
  trace::TraceBuilder builder;
  Troubles troubles;
  DocumentReader reader(file.text(), builder, troubles, options);
  if (const auto problem = reader.read())
    return base::fail_at(base::Location::byte(file.path(), problem->offset),
                         reader.truncated() ? base::ErrorCode::kTruncated : base::ErrorCode::kMalformed, "{}",
                         problem->reason);
  troubles.report(builder.quality(), file.path());
  builder.add_source({.path = file.path(),
                      .format = "chrome-json",
                      .detail = reader.is_bare_array() ? "list of events" : "object around a list of events",
                      .bytes = file.size()});
  return std::move(builder).finish();
}

}  // namespace accelscope::formats::chrome_json
