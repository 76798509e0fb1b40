# Runs the checker on a small tree with one fault, and expects it to fail with a certain line.
execute_process(
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${TREE} -P ${CHECKER}
  RESULT_VARIABLE code ERROR_VARIABLE errors OUTPUT_VARIABLE errors)
if(code EQUAL 0)
  message(FATAL_ERROR "the fault in ${TREE} was not seen")
endif()
string(FIND "${errors}" "${EXPECTED}\n" position)
if(position EQUAL -1)
  message(FATAL_ERROR "expected the line\n${EXPECTED}\nbut the checker said\n${errors}")
endif()
if(NOT errors MATCHES "1 faults")
  message(FATAL_ERROR "expected one fault, but the checker said\n${errors}")
endif()
