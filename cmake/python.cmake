# What the Python module needs: an interpreter with its headers and NumPy, and pybind11. Where something is missing the module is
# not built, and says so; the test "python: module" is then skipped, visibly.
#
# Sets ACCELSCOPE_BUILDS_PYTHON.
set(ACCELSCOPE_BUILDS_PYTHON OFF)
if(NOT ACCELSCOPE_PYTHON)
  return()
endif()

# The packages of packages.txt belong to the system's interpreter, whatever else is first in PATH.
# For another one: -DPython_EXECUTABLE=<path>.
find_program(Python_EXECUTABLE python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_package(Python 3.9 COMPONENTS Interpreter Development.Module NumPy)
find_package(pybind11 2.10 CONFIG QUIET)
if(NOT Python_FOUND OR NOT pybind11_FOUND)
  message(WARNING "The Python module is not built: it needs Python with headers and NumPy, and pybind11 (see packages.txt)")
  return()
endif()

set(ACCELSCOPE_BUILDS_PYTHON ON)
set(ACCELSCOPE_PYTHON_INSTALL_DIR
    "lib/python${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}/dist-packages" CACHE STRING
    "Where the Python module is installed, below the prefix")
# The folders' libraries become part of a shared object. Nobody replaces a function of theirs from outside, so calls within a
# file stay direct and are inlined as before.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
target_compile_options(accelscope_flags INTERFACE -fno-semantic-interposition)
