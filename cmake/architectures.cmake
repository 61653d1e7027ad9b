# Collects engine/model/architectures: each file x.cpp exports the value architecture::x, and the list of all is written
# here, so that adding one touches no other file. Those in later/ are not in the WebAssembly that a visitor waits for
# first (see ARCHITECTURE.md, "Two engines for the page"): a list without them is written beside the other.
function(plimsoll_list_architectures folder)
  set(text "// Written by cmake/architectures.cmake.\n")
  foreach(file IN LISTS ARGN)
    get_filename_component(name ${file} NAME_WE)
    string(APPEND text "ARCHITECTURE(${name})\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${folder}/architectures.inc CONTENT "${text}" @ONLY)
endfunction()

set(_folder ${PROJECT_SOURCE_DIR}/engine/model/architectures)
file(GLOB _first CONFIGURE_DEPENDS ${_folder}/*.cpp)
file(GLOB _later CONFIGURE_DEPENDS ${_folder}/later/*.cpp)
list(SORT _first)
list(SORT _later)
plimsoll_list_architectures(first ${_first})
plimsoll_list_architectures(all ${_first} ${_later})
target_include_directories(plimsoll_model PRIVATE ${PROJECT_BINARY_DIR}/generated/all)
