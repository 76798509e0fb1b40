# Checks that every folder under src/ includes only what it may know.
#
#   cmake -DSOURCE_DIR=<tree> [-DFOLDERS=<file>] -P cmake/check_includes.cmake
#
# The order of the folders is cmake/folders.txt. A folder may include itself and the folders above it; a format may not include
# another format, except that formats/open knows them all and formats/chip_run those of one run; include/accelscope/ includes nothing of src/. Project headers are
# named from the top, "folder/file.h", so that a reader sees where a name comes from and this check can.
cmake_minimum_required(VERSION 3.25)

if(NOT SOURCE_DIR)
  message(FATAL_ERROR "SOURCE_DIR is missing: cmake -DSOURCE_DIR=<tree> -P cmake/check_includes.cmake")
endif()
if(NOT FOLDERS)
  set(FOLDERS "${SOURCE_DIR}/cmake/folders.txt")
endif()
file(STRINGS "${FOLDERS}" folders REGEX "^[a-z]")

# "trace" for trace/clock.h and "" for clock.h; in formats/, "formats/etdump" or, for a header beside the formats, "formats".
function(folder_of path result)
  set(folder "")
  if(path MATCHES "^(formats/[^/]+)/")
    set(folder "${CMAKE_MATCH_1}")
  elseif(path MATCHES "^([^/]+)/")
    set(folder "${CMAKE_MATCH_1}")
  endif()
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()

function(rank_of folder result)
  string(REGEX REPLACE "/.*" "" top "${folder}")
  list(FIND folders "${top}" rank)
  set(${result} ${rank} PARENT_SCOPE)
endfunction()

# Why `folder` must not include `header` (quoted with `bracket`), or "" when it may.
function(objection_to folder bracket header result)
  set(objection "")
  folder_of("${header}" target)
  rank_of("${target}" target_rank)
  rank_of("${folder}" rank)
  if(target STREQUAL "accelscope")
    # include/accelscope/ is open to everybody.
  elseif(bracket STREQUAL "<")
    # <memory> is a header of the language, src/memory a folder.
    if(EXISTS "${SOURCE_DIR}/src/${header}" AND NOT IS_DIRECTORY "${SOURCE_DIR}/src/${header}")
      set(objection "headers of the project are included with quotation marks")
    endif()
  elseif(target_rank EQUAL -1)
    set(objection "headers of the project are named \"folder/file.h\", with a folder of cmake/folders.txt")
  elseif(folder STREQUAL "accelscope")
    set(objection "include/accelscope/ is embedded by others and must not include src/")
  elseif(target_rank GREATER rank)
    set(objection "${target} is below ${folder} in cmake/folders.txt")
  elseif(target MATCHES "^formats/" AND folder MATCHES "^formats" AND
         NOT target STREQUAL folder AND NOT folder MATCHES "^formats/(open|chip_run)$")
    set(objection "a format must not know another, only formats/open and formats/chip_run may")
  endif()
  set(${result} "${objection}" PARENT_SCOPE)
endfunction()

function(line_number_of text content result)
  string(FIND "${content}" "${text}" position)
  string(SUBSTRING "${content}" 0 ${position} before)
  string(REGEX MATCHALL "\n" line_ends "${before}\n")
  list(LENGTH line_ends number)
  set(${result} ${number} PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE sources LIST_DIRECTORIES false RELATIVE "${SOURCE_DIR}"
     "${SOURCE_DIR}/src/*.h" "${SOURCE_DIR}/src/*.cpp" "${SOURCE_DIR}/src/*.inc" "${SOURCE_DIR}/include/*.h")
set(violations "")
set(include_count 0)
foreach(source IN LISTS sources)
  string(REGEX REPLACE "^(src|include)/" "" below "${source}")
  folder_of("${below}" folder)
  rank_of("${folder}" rank)
  if(source MATCHES "^src/" AND rank EQUAL -1)
    list(APPEND violations "${source}: its folder is not in cmake/folders.txt")
    continue()
  endif()
  file(READ "${SOURCE_DIR}/${source}" content)
  string(PREPEND content "\n")
  string(REGEX MATCHALL "\n[ \t]*#[ \t]*include[ \t]*[\"<][^\">\n]*" includes "${content}")
  foreach(include IN LISTS includes)
    math(EXPR include_count "${include_count} + 1")
    string(REGEX MATCH "([\"<])(.*)$" ignored "${include}")
    set(header "${CMAKE_MATCH_2}")
    objection_to("${folder}" "${CMAKE_MATCH_1}" "${header}" objection)
    if(objection)
      line_number_of("${include}" "${content}" line)
      list(APPEND violations "${source}:${line}: includes ${header}: ${objection}")
    endif()
  endforeach()
endforeach()

list(LENGTH sources source_count)
if(source_count EQUAL 0)
  message(FATAL_ERROR "no sources under ${SOURCE_DIR}/src")
endif()
if(violations)
  list(LENGTH violations violation_count)
  # Plain lines: FATAL_ERROR would wrap them.
  foreach(violation IN LISTS violations)
    message(NOTICE "${violation}")
  endforeach()
  message(FATAL_ERROR "${violation_count} breaches of the include rule")
endif()
message(STATUS "${include_count} includes in ${source_count} files follow cmake/folders.txt")
