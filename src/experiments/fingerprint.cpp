#include "experiments/fingerprint.h"

#include <fmt/core.h>
#include <xxhash.h>

#include "base/mapped_file.h"

namespace accelscope::experiments {

std::string xxh3_of(std::string_view bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

base::Result<Fingerprint> fingerprint_of_file(const std::string& path) {
  ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(path));
  return Fingerprint{base::Bytes{static_cast<std::int64_t>(file.size())}, xxh3_of(file.text())};
}

}  // namespace accelscope::experiments
