# nlohmann/json (headers alone) as nlohmann_json::nlohmann_json, and Catch2 for the tests as Catch2::Catch2: the
# system's copy where there is one, else a pinned download.
include(FetchContent)

# plimsoll_system_headers(TARGET HEADER): makes TARGET of one folder of the system's headers, if HEADER is there.
# Emscripten's CMake looks into its own system root alone, and all of /usr/include must not be on its include path
# (it would hide that root's C library). So the one folder is found by hand and linked to.
function(plimsoll_system_headers target header)
  cmake_path(GET header PARENT_PATH folder)
  find_path(PLIMSOLL_${folder} ${header} PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH)
  if(PLIMSOLL_${folder})
    set(include ${PROJECT_BINARY_DIR}/include/${folder})
    file(MAKE_DIRECTORY ${include})
    file(CREATE_LINK ${PLIMSOLL_${folder}}/${folder} ${include}/${folder} SYMBOLIC)
    add_library(plimsoll_${folder} INTERFACE)
    target_include_directories(plimsoll_${folder} SYSTEM INTERFACE ${include})
    add_library(${target} ALIAS plimsoll_${folder})
  endif()
endfunction()

plimsoll_system_headers(nlohmann_json::nlohmann_json nlohmann/json.hpp)
if(NOT TARGET nlohmann_json::nlohmann_json)
  set(JSON_SystemInclude ON)
  FetchContent_Declare(nlohmann_json
    URL https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
    URL_HASH SHA256=d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d)
  FetchContent_MakeAvailable(nlohmann_json)
endif()

# Catch2: version 2 (Debian 12) is a header, good for any compiler; 3 is a library, which the system has for its own
# compiler alone. tests/engine/catch.h hides the difference.
if(EMSCRIPTEN)
  plimsoll_system_headers(Catch2::Catch2 catch2/catch.hpp)
elseif(PLIMSOLL_FUZZ)
  find_package(Catch2 2 QUIET)  # a header, so that clang compiles it as well
else()
  find_package(Catch2 QUIET)
  if(NOT Catch2_FOUND)
    FetchContent_Declare(Catch2
      GIT_REPOSITORY https://github.com/catchorg/Catch2.git
      GIT_TAG fa43b77429ba76c462b1898d6cd2f2d7a9416b14)  # v3.7.1
    FetchContent_MakeAvailable(Catch2)
    list(APPEND CMAKE_MODULE_PATH ${Catch2_SOURCE_DIR}/extras)
  endif()
endif()
