# shellcheck shell=bash
# What is built, and how. CMake and Ninja decide for themselves what is stale; the page is stamped by content.

JOBS=${JOBS:-$(getconf _NPROCESSORS_ONLN)}

# Where ccache is installed, what was compiled once is not compiled again, in another folder either.
if has ccache; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$ROOT CCACHE_NOHASHDIR=1
    export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
fi

# build_preset PRESET [TARGET…]
build_preset() {
    local preset=$1
    shift
    [[ -f build/$preset/build.ninja ]] || cmake --preset "$preset"
    cmake --build --preset "$preset" --parallel "$JOBS" ${1:+--target "$@"}
}

build_native() { build_preset native; }

build_wasm() { build_preset wasm; }

build_page() {
    local now
    now=$(fingerprint web presets docs/guide engine/estimate/ledger/rows.inc tests/score tests/measured build/wasm/plimsoll{,-whole,-logs}.{mjs,wasm})
    if [[ -d web/dist && $(cat build/stamps/page 2>/dev/null) == "$now" ]]; then
        echo "web/dist is up to date"
        return
    fi
    npm --prefix web run --silent build
    echo "$now" >build/stamps/page
}

# quietly LOG COMMAND…: the output is shown only if the command fails.
quietly() {
    local log=$1 status
    shift
    set +e
    (
        set -e
        "$@"
    ) >"$log" 2>&1 </dev/null
    status=$?
    set -e
    if [[ $status != 0 ]]; then
        tail -n 40 "$log" >&2
        fail "$* failed ($log)"
    fi
}

# fingerprint PATH…: one hash over the contents of all source files under the paths.
fingerprint() {
    local path present=()
    for path in "$@"; do
        [[ ! -e $path ]] || present+=("$path")
    done
    find "${present[@]}" \( -name node_modules -o -name dist -o -name test-results -o -name playwright-report \) -prune \
        -o -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -d ' ' -f 1
}

cpp_files() { find engine tests \( -name '*.cpp' -o -name '*.h' \) -print0; }

# prettier FLAG: the scripts outside web/, whose own format checks web/ itself.
prettier() { web/node_modules/.bin/prettier --config web/.prettierrc.json "$1" 'tests/**/*.{mjs,ts}' '.ci/*.mjs'; }

fuzz_names() { find tests/fuzz -name 'fuzz_*.cpp' | sed 's/.*fuzz_\(.*\)\.cpp/\1/' | sort | tr '\n' ' '; }
