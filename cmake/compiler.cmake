# Flags that every target of the project gets. They live in an interface library, so that nothing leaks into generated code
# of other tools (protoc) that does not ask for it.
add_library(accelscope_flags INTERFACE)
target_compile_options(accelscope_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
  # GCC 12 sees overlapping copies in "a" + std::string() (its bug 105651, mended in 13).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  # Results must not depend on the CPU: GCC fuses multiply-add by default.
  -ffp-contract=off)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-march=x86-64-v2)
endif()

if(ACCELSCOPE_SANITIZE)
  add_compile_options(-fsanitize=${ACCELSCOPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ACCELSCOPE_SANITIZE})
endif()
if(ACCELSCOPE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "ACCELSCOPE_FUZZ needs clang: use the preset 'asan' or 'fuzz'")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Where it is installed: tests and fuzz targets are many programs, and it links them several times as fast.
find_program(ACCELSCOPE_LLD ld.lld)
if(ACCELSCOPE_LLD)
  add_link_options(-fuse-ld=lld)
endif()

find_program(ACCELSCOPE_CCACHE ccache)
if(ACCELSCOPE_CCACHE)
  # The base directory lets two clones of the repository share one cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      ${ACCELSCOPE_CCACHE})
endif()
