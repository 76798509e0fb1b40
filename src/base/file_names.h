// Parts of paths, as people speak of files.
//
// Pure functions; what they return points into the path.
//
//   file_name("out/toy.etdump")   -> "toy.etdump"
//   file_stem("out/toy.etdump")   -> "toy"
#pragma once

#include <string_view>

namespace accelscope::base {

inline std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// Without the last ending; a name that is all ending (".profile") stays whole.
inline std::string_view file_stem(std::string_view path) {
  const std::string_view name = file_name(path);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

}  // namespace accelscope::base
