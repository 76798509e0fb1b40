// What tells one file's content from another's: its size and an XXH3 hash. A manifest keeps those of the
// model and the runners, so that a resumed run does not mix two builds.
//
// Pure functions of bytes and files; safe from any thread.
//
//   ACCELSCOPE_TRY(const Fingerprint runner, fingerprint_of_file("executor_runner"));
//   fmt::print("{} bytes, xxh3 {}\n", runner.size.value, runner.xxh3);
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"

namespace accelscope::experiments {

struct Fingerprint {
  base::Bytes size = {};
  std::string xxh3 = {};  // 64 bits, 16 hexadecimal digits; "" when it could not be taken

  bool known() const { return !xxh3.empty(); }
  bool operator==(const Fingerprint&) const = default;
};

std::string xxh3_of(std::string_view bytes);
base::Result<Fingerprint> fingerprint_of_file(const std::string& path);

}  // namespace accelscope::experiments
