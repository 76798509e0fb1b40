// A file that a job wrote, for the list that the program shows at the end. Plain data.
#pragma once

#include <string>

namespace accelscope::jobs {

struct WrittenFile {
  std::string path = {};
  std::string what = {};
};

}  // namespace accelscope::jobs
