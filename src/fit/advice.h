// What would make a model faster on a board, each change tried out by itself, the largest gain first.
//
// Pure functions, safe from any thread; they own what they return.
//
//   for (const Suggestion& suggestion : suggestions_for(one, {})) ...
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fit/document.h"

namespace accelscope::fit {

struct Suggestion {
  std::string id;  // of a statement
  std::string text;
  std::string basis;
  double before = 0;  // tokens a second; 0 where there was no speed
  double after = 0;
};

// Changes that gain less than 2 % are left out. `alternatives`: other boards to compare with.
std::vector<Suggestion> suggestions_for(const FitCase& one, std::span<const Machine> alternatives);

}  // namespace accelscope::fit
