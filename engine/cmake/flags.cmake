# What every target of the project is compiled with. Linked privately, so that it never reaches a dependency.
option(PLIMSOLL_WERROR "Warnings are errors" ON)
set(PLIMSOLL_SANITIZE "" CACHE STRING "Comma-separated list for -fsanitize=, such as address,undefined")
option(PLIMSOLL_COVERAGE "Count which lines run" OFF)
option(PLIMSOLL_FUZZ "Fuzz targets fuzz, instead of replaying their corpus (clang)" OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
# Assertions stay on in every build: an estimate that breaks an invariant must stop, not answer.
set(CMAKE_CXX_FLAGS_RELEASE "-O2")

add_library(plimsoll_flags INTERFACE)
target_compile_options(plimsoll_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wzero-as-null-pointer-constant
  # A fused multiply-add rounds once where WebAssembly rounds twice: the two would differ in the last bit.
  -ffp-contract=off)
if(PLIMSOLL_WERROR)
  target_compile_options(plimsoll_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees overlapping copies in inlined std::string code that are not there, 13 dangling references likewise.
  target_compile_options(plimsoll_flags INTERFACE
    -Wno-restrict $<$<VERSION_GREATER_EQUAL:${CMAKE_CXX_COMPILER_VERSION},13>:-Wno-dangling-reference>)
endif()
if(PLIMSOLL_SANITIZE)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With the sanitizers' code in it, g++ takes an empty std::optional for an uninitialised one.
    target_compile_options(plimsoll_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
  add_compile_options(-fsanitize=${PLIMSOLL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${PLIMSOLL_SANITIZE})
  add_compile_definitions(_GLIBCXX_ASSERTIONS)  # an index past the end stops, too
endif()
if(PLIMSOLL_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
if(PLIMSOLL_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(EMSCRIPTEN)
  # Assertions name their files: by the place in the project, so that two builds in two folders give the same bytes.
  add_compile_options(-ffile-prefix-map=${PROJECT_BINARY_DIR}/= -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()
if(EMSCRIPTEN OR PLIMSOLL_COVERAGE)
  # In WebAssembly, exceptions would be a seventh of the bytes that the page waits for; what throws natively traps
  # (bindings/guard.js). Where branches are counted, each call would have one that only an exception takes.
  target_compile_definitions(plimsoll_flags INTERFACE JSON_NOEXCEPTION)
endif()
