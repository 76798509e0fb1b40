# Compiles the hot path of a recorder as the release build would and reads its assembly: no call but the one that changes the
# buffer, and that one in a block of its own, away from the rest.
#
#   cmake -DCOMPILER=g++ -DSOURCE=hot_path.cpp -DINCLUDE=<include/> -DFLAGS=<flags, by spaces> -P check_hot_path.cmake
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
execute_process(
  COMMAND ${COMPILER} -std=c++20 -O3 -fno-exceptions -fno-rtti -ffreestanding ${flags} -I${INCLUDE} -S -o - ${SOURCE}
  OUTPUT_VARIABLE assembly COMMAND_ERROR_IS_FATAL ANY)

function(calls_between from to result)
  string(FIND "${assembly}" "${from}" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "no ${from} in the assembly")
  endif()
  string(SUBSTRING "${assembly}" ${begin} -1 rest)
  string(FIND "${rest}" "${to}" end)
  string(SUBSTRING "${rest}" 0 ${end} body)
  string(REGEX MATCHALL "\t(call|bl|blr)[ \t]+[^\n]+" calls "${body}")
  # Leaving for another function without coming back is a call as well.
  string(REGEX MATCHALL "\t(jmp|b)[ \t]+_Z[^\n]+" jumps "${body}")
  set(${result} ${calls} ${jumps} PARENT_SCOPE)
endfunction()

calls_between("\nrecord_core_task:" "\nrecord_core_task.cold:" in_hot_part)
calls_between("\nrecord_core_task.cold:" ".cfi_endproc" in_cold_part)
if(in_hot_part)
  message(FATAL_ERROR "the hot path calls: ${in_hot_part}")
endif()
list(LENGTH in_cold_part cold_calls)
if(NOT cold_calls EQUAL 1 OR NOT in_cold_part MATCHES "switch_buffer")
  message(FATAL_ERROR "the cold part must call switch_buffer and nothing else, but calls: ${in_cold_part}")
endif()
