// gzip, unpacked into memory.
//
// The unpacked bytes are bounded: at most kMaxRatio times the packed ones (but kAlwaysAllowed bytes are
// always allowed), because a file of kilobytes can claim to hold gigabytes. Pure; the result owns its bytes.
//
//   if (looks_like_gzip(file.text())) { ACCELSCOPE_TRY(file, gunzip(file)); }
#pragma once

#include <string>
#include <string_view>

#include "base/mapped_file.h"

namespace accelscope::formats::gzip {

inline constexpr std::size_t kMaxRatio = 400;
inline constexpr std::size_t kAlwaysAllowed = std::size_t{64} << 20U;

bool looks_like_gzip(std::string_view bytes);

// All members of the file, one after the other. Errors name the byte of the packed file.
base::Result<base::MappedFile> gunzip(const base::MappedFile& packed);

// Up to `count` of the first unpacked bytes, for a look at what it is. Damage ends them early.
std::string unpacked_head(const base::MappedFile& packed, std::size_t count);

}  // namespace accelscope::formats::gzip
