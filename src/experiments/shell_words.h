// Words for a POSIX shell, quoted so that the shell gives back exactly the word.
//
// Pure functions; safe from any thread.
//
//   shell_word("toy.pte")        -> toy.pte
//   shell_word("it's a model")   -> 'it'\''s a model'
//   shell_line({"a", "b c"})     -> a 'b c'
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace accelscope::experiments {

// Words of letters, digits and @%+=:,./_- stay as they are.
std::string shell_word(std::string_view word);
std::string shell_line(const std::vector<std::string>& words);

}  // namespace accelscope::experiments
