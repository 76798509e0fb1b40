# Runs the checker on a small tree that breaks the rule once, and expects it to fail with a certain line.
execute_process(
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${TREE} -DFOLDERS=${CMAKE_CURRENT_LIST_DIR}/folders.txt -P ${CHECKER}
  RESULT_VARIABLE code ERROR_VARIABLE errors OUTPUT_VARIABLE errors)
if(code EQUAL 0)
  message(FATAL_ERROR "the breach in ${TREE} was not seen")
endif()
string(FIND "${errors}" "${EXPECTED}\n" position)
if(position EQUAL -1)
  message(FATAL_ERROR "expected the line\n${EXPECTED}\nbut the checker said\n${errors}")
endif()
if(NOT errors MATCHES "1 breaches")
  message(FATAL_ERROR "expected one breach, but the checker said\n${errors}")
endif()
