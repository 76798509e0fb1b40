// One fuzzer for several targets is one program to link. It is linked to by name, fuzz_<target>, and this is
// how it learns which of them it is. Called once, from LLVMFuzzerInitialize.
//
//   g_target = target_name(*argc, *argv);  // "board" of build/asan/fuzz/fuzz_board
#pragma once

#include <string_view>

#include "require.h"

inline std::string_view target_name(int argc, char** argv) {
  constexpr std::string_view kPrefix = "fuzz_";
  require(argc > 0, "a program has a name");
  std::string_view name = argv[0];
  name.remove_prefix(name.find_last_of('/') + 1);  // npos + 1 is 0
  require(name.starts_with(kPrefix), "the fuzzer is called by the name of a target, fuzz_<target>");
  return name.substr(kPrefix.size());
}
