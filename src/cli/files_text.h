// The files that a verb has written, a line each, for people.
//
//   fmt::print("{}", files_text(outcome.files));
#pragma once

#include <string>
#include <vector>

#include "jobs/written_file.h"

namespace accelscope::cli {

// Paths in one column, what they are in the next; every line begins with `indent` spaces.
std::string files_text(const std::vector<jobs::WrittenFile>& files, std::size_t indent = 0);

}  // namespace accelscope::cli
