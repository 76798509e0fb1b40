# Compiles code for a control CPU without a library, and looks at what it calls: nothing but functions whose names contain ALLOWED.
#
#   cmake -DCOMPILER=g++ -DNM=nm -DSOURCE=perfmon_freestanding.cpp -DINCLUDE=<include/> -DALLOWED=ChipBus -P check_freestanding.cmake
get_filename_component(name "${SOURCE}" NAME_WE)
set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.freestanding.o")
execute_process(
  COMMAND ${COMPILER} -std=c++20 -O2 -Wall -Wextra -Werror -fno-exceptions -fno-rtti -ffreestanding -I${INCLUDE} -c -o ${object} ${SOURCE}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${NM} -uC ${object} OUTPUT_VARIABLE undefined COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE "${object}")
string(REGEX MATCHALL "U [^\n]+" calls "${undefined}")
if(NOT calls)
  message(FATAL_ERROR "calls nothing at all: is the code there?")
endif()
foreach(call IN LISTS calls)
  if(NOT call MATCHES "${ALLOWED}")
    message(FATAL_ERROR "needs ${call}, which a control CPU does not have")
  endif()
endforeach()
