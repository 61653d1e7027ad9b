# Collects engine/model/architectures: each FAMILY/x.cpp exports the value architecture::x, and the list of all is written
# here, so that adding one touches no other file.

# The architectures of the WebAssembly that a visitor waits for first: those that most people ask for (docs/decisions/
# two-engines.md). A name that is added or taken out here moves an architecture from one engine to the other.
set(PLIMSOLL_FIRST_ARCHITECTURES
    deepseek_v2 deepseek_v3 gemma2 gemma3 gemma4 glm4 glm4_moe gpt_oss llama llama4
    ministral3 mistral mistral3 mixtral phi3 qwen2 qwen3 qwen3_5_moe_text qwen3_5_text
    qwen3_moe qwen3_next)

# plimsoll_list_architectures(FOLDER NAME…): writes generated/FOLDER/architectures.inc.
function(plimsoll_list_architectures folder)
  set(text "// Written by engine/cmake/architectures.cmake.\n")
  foreach(name IN LISTS ARGN)
    string(APPEND text "ARCHITECTURE(${name})\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${folder}/architectures.inc CONTENT "${text}" @ONLY)
endfunction()

file(GLOB _files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/engine/model/architectures/*/*.cpp)
list(TRANSFORM _files REPLACE "^.*/([^/]+)\\.cpp$" "\\1" OUTPUT_VARIABLE _names)
list(SORT _names)
foreach(name IN LISTS PLIMSOLL_FIRST_ARCHITECTURES)
  if(NOT name IN_LIST _names)
    message(FATAL_ERROR "engine/cmake/architectures.cmake: there is no architecture ${name}")
  endif()
endforeach()
# In WebAssembly these are compiled alone: an engine's list names them one by one, and what is compiled with them comes along.
if(EMSCRIPTEN)
  foreach(file IN LISTS _files)
    cmake_path(GET file STEM name)
    if(name IN_LIST PLIMSOLL_FIRST_ARCHITECTURES)
      set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endif()
plimsoll_list_architectures(first ${PLIMSOLL_FIRST_ARCHITECTURES})
plimsoll_list_architectures(whole ${_names})

# What llama.cpp knows of each family stands beside its architectures, too: generated/llama_cpp.inc includes all of it.
file(GLOB _tables CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/engine
     ${PROJECT_SOURCE_DIR}/engine/model/architectures/*/llama_cpp.inc)
list(TRANSFORM _tables REPLACE "(.+)" "#include \"\\1\"\n")
list(JOIN _tables "" _text)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/llama_cpp/llama_cpp.inc
     CONTENT "// Written by engine/cmake/architectures.cmake.\n${_text}" @ONLY)
target_include_directories(plimsoll_model PUBLIC ${PROJECT_BINARY_DIR}/generated/llama_cpp)
