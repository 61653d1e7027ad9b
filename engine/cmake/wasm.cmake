# The toolchain file of the preset `wasm`, and the one place that knows how Emscripten's versions differ.
# Works from Debian's 3.1.6 to the current emsdk: whichever `emcc` comes first on PATH.
find_program(PLIMSOLL_EMCC emcc REQUIRED NO_CMAKE_FIND_ROOT_PATH)
file(REAL_PATH ${PLIMSOLL_EMCC} real_emcc)  # Debian's is a link into /usr/share/emscripten
cmake_path(GET real_emcc PARENT_PATH PLIMSOLL_EMSCRIPTEN)
include(${PLIMSOLL_EMSCRIPTEN}/cmake/Modules/Platform/Emscripten.cmake)

# Instructions that every browser has had since 2021: fewer bytes where a double becomes a whole number.
set(CMAKE_CXX_FLAGS_INIT "-flto -mbulk-memory -mnontrapping-fptoint -msign-ext")

if(PLIMSOLL_EMSCRIPTEN STREQUAL "/usr/share/emscripten")
  # Debian keeps the JavaScript packages that emcc runs in a folder of its own; NodeSource's node does not look there.
  set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")
endif()

if(EMSCRIPTEN_VERSION VERSION_LESS 3.1.25)
  set(PLIMSOLL_STACK TOTAL_STACK)
else()
  set(PLIMSOLL_STACK STACK_SIZE)
endif()

# plimsoll_wasm_module(TARGET): TARGET becomes TARGET.mjs + TARGET.wasm at the top of the build folder.
function(plimsoll_wasm_module target)
  set(settings
    MODULARIZE=1 EXPORT_ES6=1
    ENVIRONMENT=web,worker  # under Node too: the loader hands over wasmBinary, so the glue fetches nothing
    DYNAMIC_EXECUTION=0     # no eval: the page's Content-Security-Policy forbids it
    ALLOW_MEMORY_GROWTH=1 INITIAL_MEMORY=2097152 ${PLIMSOLL_STACK}=262144
    FILESYSTEM=0 MALLOC=emmalloc
    ABORTING_MALLOC=1  # no exceptions: where memory ends, the text that JavaScript hands over would be lost
    EXPORTED_RUNTIME_METHODS=stackSave,stackRestore,HEAPU8)  # for guard.js; for the bytes of files
  if(EMSCRIPTEN_VERSION VERSION_GREATER_EQUAL 6.0.2)  # before it, the factory took these without being told
    list(APPEND settings INCOMING_MODULE_JS_API=wasmBinary,locateFile,instantiateWasm)
  endif()
  # Binaryen twice more, over code whose nesting and blocks it has built anew: a hundredth less. The last two: 0.2 %.
  list(APPEND settings BINARYEN_EXTRA_PASSES=--flatten,--rereloop,-Oz,-Oz,--flatten,--rereloop,-Oz,-Oz,-Os,--local-cse)
  list(TRANSFORM settings PREPEND -s)
  target_compile_definitions(${target} PRIVATE EMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0)
  # What is worth inlining has been inlined file by file; the linker's own inlining is a hundredth more, and no faster.
  target_link_options(${target} PRIVATE -Wl,-mllvm,-inline-threshold=-100 -Oz -fno-exceptions -fno-rtti --bind ${settings}
    --post-js ${PROJECT_SOURCE_DIR}/engine/bindings/guard.js)
  set_target_properties(${target} PROPERTIES
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/engine/bindings/guard.js
    SUFFIX .mjs RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endfunction()

# plimsoll_wasm_program(TARGET): TARGET.cjs runs under Node with files and exit status, and is built on request. Catch2
# throws: exceptions are WebAssembly's own, smaller and faster than through JavaScript. For compiler and linker alike.
function(plimsoll_wasm_program target)
  set(settings
    ENVIRONMENT=node NODERAWFS=1 EXIT_RUNTIME=1
    ALLOW_MEMORY_GROWTH=1 ${PLIMSOLL_STACK}=1048576
    WASM_ASYNC_COMPILATION=0)  # 3.1.6 would fetch() the file by its path, which Node refuses
  list(TRANSFORM settings PREPEND -s)
  target_compile_options(${target} PRIVATE -fwasm-exceptions)
  target_link_options(${target} PRIVATE -O2 -fwasm-exceptions ${settings})
  set_target_properties(${target} PROPERTIES SUFFIX .cjs EXCLUDE_FROM_ALL ON)
endfunction()
