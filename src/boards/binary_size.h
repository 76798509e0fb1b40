// A size of memory as the reference's tools read it: K, M and G are powers of 1024 with or without `i` and
// `B`, so "512MB" is 512 MiB. (base/human.h takes "MB" for a power of 1000, as disks do.)
//
// A pure function, safe from any thread.
//
//   parse_binary_size("1.5GB")     // 1610612736 bytes
#pragma once

#include <string_view>

#include "base/result.h"
#include "base/units.h"

namespace accelscope::boards {

// "536870912", "512M", "512MB", "512MiB", "0.5G", in large or small letters; above zero.
base::Result<base::Bytes> parse_binary_size(std::string_view text);

}  // namespace accelscope::boards
