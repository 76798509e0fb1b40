// Writes an ETRecord with the parts that read() understands: for tests, examples and fuzzing.
//
// The same record gives the same bytes: entries are stored unpacked and dated 1980. Nothing is kept between
// calls.
//
//   EtRecord record;
//   record.method("forward").handles[0] = {7};
//   ACCELSCOPE_TRY(const std::string bytes, etrecord::write(record));
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "formats/etrecord/etrecord.h"

namespace accelscope::formats::etrecord {

base::Result<std::string> write(const EtRecord& record);

struct ZipContent {
  std::string name;
  std::string bytes;
};
enum class Packing : unsigned char { kStored, kDeflated };
// A ZIP of these entries, in this order.
base::Result<std::string> make_zip(const std::vector<ZipContent>& entries,
                                   Packing packing = Packing::kStored);

}  // namespace accelscope::formats::etrecord
