include(GoogleTest)

# accelscope_folder(<path below src> [COLD] SOURCES <files...> [USES <folders...>] [LIBRARIES <targets...>])
#
# One library per folder, named after it: src/formats/etdump becomes accelscope_formats_etdump. USES names the project's own
# folders it builds on; cmake/check_includes.cmake checks that only folders above it in cmake/folders.txt are included. COLD code
# reads options and writes documents: it is compiled with -O2, because no one waits for it and GCC takes less time so.
function(accelscope_folder folder)
  cmake_parse_arguments(arg "COLD" "" "SOURCES;USES;LIBRARIES" ${ARGN})
  accelscope_target_name(${folder} target)
  add_library(${target} STATIC ${arg_SOURCES})
  if(arg_COLD)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>)
  elseif(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC inlines less in a large unit than in a small one: without this, Chrome JSON is read at three quarters of the speed.
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:--param=large-unit-insns=1000000>)
  endif()
  target_include_directories(${target} PUBLIC "${CMAKE_SOURCE_DIR}/src" "${CMAKE_SOURCE_DIR}/include")
  target_link_libraries(${target} PRIVATE accelscope_flags)
  foreach(used IN LISTS arg_USES)
    accelscope_target_name(${used} used_target)
    target_link_libraries(${target} PUBLIC ${used_target})
  endforeach()
  target_link_libraries(${target} PUBLIC ${arg_LIBRARIES})
endfunction()

function(accelscope_target_name folder result)
  string(REPLACE "/" "_" name "accelscope_${folder}")
  set(${result} ${name} PARENT_SCOPE)
endfunction()

# accelscope_test(<folder> SOURCES <files...> [USES <folders...>] [LIBRARIES <targets...>] [LABEL unit|slow|long] [NAME <name>])
#
# One test executable per folder, test_<folder>. LABEL slow runs in the release build only, LABEL long when asked for, and may take ten times
# as long. What CTest runs are shards of it, "<folder>: test_<folder> 1/2", which leave what became of each case in
# <build>/cases for scripts/summarize_cases.py; without ACCELSCOPE_TEST_SHARDS, as in the preset debug, every case is a CTest test.
function(accelscope_test folder)
  cmake_parse_arguments(arg "" "LABEL;NAME" "SOURCES;USES;LIBRARIES" ${ARGN})
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
  endif()
  if(NOT arg_NAME)
    string(REPLACE "/" "_" arg_NAME "test_${folder}")
  endif()
  add_executable(${arg_NAME} ${arg_SOURCES})
  target_include_directories(${arg_NAME} PRIVATE "${CMAKE_SOURCE_DIR}/tests")
  target_compile_definitions(${arg_NAME} PRIVATE
    ACCELSCOPE_FIXTURES_DIR="${ACCELSCOPE_FIXTURES}" ACCELSCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_link_libraries(${arg_NAME} PRIVATE accelscope_flags GTest::gtest GTest::gtest_main)
  # What a test asserts is not worth the time that optimising it takes; what it tests is optimised.
  target_compile_options(${arg_NAME} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(ACCELSCOPE_FUZZ)
    # clang takes half the time for it so, under sanitizers; fuzzers only look at what is tested.
    target_compile_options(${arg_NAME} PRIVATE -O0 -fno-sanitize=fuzzer-no-link)
  endif()
  foreach(used IN LISTS folder arg_USES)
    accelscope_target_name(${used} used_target)
    target_link_libraries(${arg_NAME} PRIVATE ${used_target})
  endforeach()
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBRARIES})
  set(seconds 60)
  if(arg_LABEL STREQUAL long)
    set(seconds 600)
  endif()
  if(ACCELSCOPE_TEST_SHARDS)
    accelscope_test_shards(${folder} ${arg_NAME} ${arg_LABEL} ${seconds} "${arg_SOURCES}")
  else()
    gtest_discover_tests(${arg_NAME} TEST_PREFIX "${folder}: " PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${seconds}
                         DISCOVERY_TIMEOUT 60)
  endif()
endfunction()

# As many shards as keep each to some seconds: one for every six sources. A shard may take what ten of its cases may. GoogleTest's whole
# output is kept, so that a case which crashes is named.
function(accelscope_test_shards folder name label seconds sources)
  math(EXPR seconds "${seconds} * 10")
  list(LENGTH sources count)
  math(EXPR shards "(${count} + 5) / 6")
  math(EXPR last "${shards} - 1")
  foreach(index RANGE ${last})
    math(EXPR number "${index} + 1")
    set(test "${folder}: ${name} ${number}/${shards}")
    add_test(NAME "${test}" COMMAND ${name})
    set_tests_properties("${test}" PROPERTIES LABELS ${label} TIMEOUT ${seconds} ENVIRONMENT
      "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index};GTEST_OUTPUT=xml:${CMAKE_BINARY_DIR}/cases/${name}-${number}.xml")
  endforeach()
endfunction()
