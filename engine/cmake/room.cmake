option(PLIMSOLL_FOLDERS_AS_UNITS "Compile the sources of a folder as one" ON)

# plimsoll_folders_as_units(TARGET): most of a compiler's time goes into headers, so that the sources of a folder are
# compiled as one; what is internal to a file has a name that its folder has once, and a test's code stands in a namespace
# of its file's name. architectures.cmake says which stay alone.
function(plimsoll_folders_as_units target)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(REPLACE "/" "-" group ${folder})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${PLIMSOLL_FOLDERS_AS_UNITS} UNITY_BUILD_MODE GROUP)
endfunction()

# plimsoll_room(NAME [USES room…] [PRIVATELY target…] [PRECOMPILES header…]): the library plimsoll_NAME of all files
# under engine/NAME. A room of headers alone is an INTERFACE library; its first .cpp file makes it a static one, with no
# change here. PRECOMPILES: what most of its files spend their time in.
function(plimsoll_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "" "" "USES;PRIVATELY;PRECOMPILES")
  set(target plimsoll_${name})
  list(TRANSFORM room_USES PREPEND plimsoll_)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/engine/${name}/*.cpp)
  list(REMOVE_ITEM sources ${PLIMSOLL_OF_COMPOSITIONS})
  if(EXISTS ${PROJECT_SOURCE_DIR}/engine/${name}.cpp)
    list(APPEND sources ${PROJECT_SOURCE_DIR}/engine/${name}.cpp)
  endif()
  if(sources)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PUBLIC ${room_USES} PRIVATE plimsoll_flags ${room_PRIVATELY})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/engine)
    plimsoll_folders_as_units(${target})
    if(NOT EMSCRIPTEN)  # its linker keeps a hundredth more of what was precompiled
      target_precompile_headers(${target} PRIVATE ${room_PRECOMPILES})
    endif()
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${room_USES})
    target_include_directories(${target} INTERFACE ${PROJECT_SOURCE_DIR}/engine)
  endif()
  if(PLIMSOLL_COVERAGE AND sources)
    target_compile_options(${target} PRIVATE -fno-exceptions)
  endif()
  if(EMSCRIPTEN AND sources)
    target_compile_options(${target} PRIVATE ${PLIMSOLL_SMALL})
    if(name STREQUAL "model")
      target_compile_options(${target} PRIVATE -fno-inline-functions)  # many architectures, each read once
    endif()
    # Of the whole engine alone: files with a hundred thousand tensors, and an allocator that a training asks as often.
    set(hot formats/safetensors/checkpoint formats/safetensors/safetensors policies/allocator/caching_allocator
            policies/allocator/free_blocks)
    foreach(source IN LISTS hot)
      set_source_files_properties(${PROJECT_SOURCE_DIR}/engine/${source}.cpp PROPERTIES COMPILE_OPTIONS -O2)
    endforeach()
  endif()
endfunction()

# The page waits for these bytes: small code everywhere.
# A temporary of constants, such as a field's names, is data with -fmerge-all-constants, and not stores to the stack.
# emcc forbids all inlining at -Oz; allowed again, code is no larger and sweeps take a third of the time.
set(PLIMSOLL_SMALL -Oz -finline-functions -fmerge-all-constants -fno-exceptions -fno-rtti)

# What each composition compiles for itself: the JSON parser, which the whole engine reads indexes of ten megabytes with.
set(PLIMSOLL_OF_COMPOSITIONS ${PROJECT_SOURCE_DIR}/engine/formats/json/json.cpp)

# plimsoll_composition(NAME): the target plimsoll_NAME, an engine with the capabilities of engine/compositions/NAME.cpp.
# A program that answers links one of them, and nothing else of the engine.
function(plimsoll_composition name)
  set(target plimsoll_${name})
  add_library(${target} OBJECT ${PROJECT_SOURCE_DIR}/engine/compositions/${name}.cpp ${PLIMSOLL_OF_COMPOSITIONS})
  target_link_libraries(${target} PUBLIC plimsoll_api PRIVATE plimsoll_flags nlohmann_json::nlohmann_json)
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated/${name})
  if(EMSCRIPTEN)
    target_compile_options(${target} PRIVATE ${PLIMSOLL_SMALL})
    if(name STREQUAL "whole")
      target_compile_options(${target} PRIVATE -O2)
    endif()
  endif()
endfunction()
