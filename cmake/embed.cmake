# accelscope_embed(<folder> <function> FILES <files...>)
#
# Makes data files part of a folder's library: <function>(), in the folder's namespace, returns their names (without ending) and
# texts as base::EmbeddedFile (base/embedded_file.h), in the order given. Paths are relative to the source folder. The files are the only source: a change
# of one makes the library anew.
function(accelscope_embed folder function)
  cmake_parse_arguments(arg "" "" "FILES" ${ARGN})
  string(REPLACE "/" "::" space "${folder}")
  set(rows "")
  foreach(file IN LISTS arg_FILES)
    set(path "${CMAKE_SOURCE_DIR}/${file}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
    file(READ "${path}" text)
    get_filename_component(name "${file}" NAME_WLE)  # llama-3.1-8b.yaml is llama-3.1-8b
    string(APPEND rows "    {\"${name}\", R\"accelscope(${text})accelscope\"},\n")
  endforeach()
  set(content "#include <array>

#include \"base/embedded_file.h\"

namespace accelscope::${space} {

std::span<const base::EmbeddedFile> ${function}();

std::span<const base::EmbeddedFile> ${function}() {
  static constexpr base::EmbeddedFile kFiles[] = {
${rows}  };
  return kFiles;
}

}  // namespace accelscope::${space}
")
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp")
  file(CONFIGURE OUTPUT "${generated}" CONTENT "@content@" @ONLY)
  accelscope_target_name(${folder} target)
  target_sources(${target} PRIVATE "${generated}")
endfunction()
