# shellcheck shell=bash
# shellcheck disable=SC2034  # dev and running.sh read these lists
# The steps of ./dev test and ./dev check, each in the order of what fails soonest. A step is a title, the paths whose
# contents decide whether it has to run again, and a function step_NAME; running.sh runs them.

# What tests: an answer is right, a page works.
TEST_STEPS=(format lint native wasm page node browser)
# What analyses, or takes long: the same code read by tools, and the same tests run once more under other conditions.
CHECK_STEPS=(audit tidy asan engine)

# What asks the world outside, which changes without a change here.
declare -gA ALWAYS=([audit]=yes)

declare -gA TITLE=(
    [format]="formatting (clang-format, Prettier)"
    [lint]="web linter and types"
    [native]="engine: native build and its tests (ctest)"
    [wasm]="engine: WebAssembly build"
    [node]="repository, command line, WebAssembly against native (node --test)"
    [page]="page: build, and bytes against their budgets"
    [browser]="page in Chromium (Playwright)"
    [audit]="known vulnerabilities of the locked packages (npm audit)"
    [tidy]="clang-tidy"
    [asan]="engine under address and undefined-behaviour sanitizers (ctest, ten seconds of each fuzz target, node --test)"
    [engine]="engine: its tests in WebAssembly under Node (Catch2)"
)
declare -gA NEEDS=(
    [format]="lint web"
    [lint]="web"
    [native]="native"
    [wasm]="wasm"
    [node]="native wasm web"
    [page]="wasm web browser"
    [browser]="wasm web browser"
    [audit]="node"
    [tidy]="native lint node"
    [asan]="native wasm node fuzz"
    [engine]="native wasm node"
)
ENGINE="engine CMakeLists.txt CMakePresets.json"
declare -gA INPUTS=(
    [format]="engine tests .ci web .clang-format"
    [lint]="web tests/web"
    [native]="$ENGINE presets tests"
    [wasm]="$ENGINE"
    [node]="$ENGINE presets tests web docs README.md ARCHITECTURE.md CONTRIBUTING.md ACCURACY.md .github .ci"
    [page]="$ENGINE presets web tests/budgets tests/score tests/measured"
    [browser]="$ENGINE presets web tests/web tests/score tests/measured"
    [audit]="web/package.json web/package-lock.json"
    [tidy]="$ENGINE tests .clang-tidy"
    [asan]="$ENGINE presets tests"
    [engine]="$ENGINE presets tests"
)

step_format() {
    cpp_files | xargs -0 clang-format-14 --dry-run -Werror
    prettier --check
}

step_lint() { npm --prefix web run --silent lint; }

step_native() {
    build_native
    ctest --preset native --parallel "$JOBS"
}

step_wasm() { build_wasm; }

step_node() {
    build_native
    build_wasm
    build_page
    # Where thousands of replies are wanted, and how they were made does not matter; and the package is of this page.
    local -x PLIMSOLL_NATIVE=$ROOT/build/native/plimsoll-native PLIMSOLL_PAGE=built
    # The page's own tests run in a browser, in a step of their own.
    find tests -name '*.test.mjs' -not -path 'tests/web/*' -print0 | sort -z | xargs -0 node --test --test-concurrency "$JOBS" --test-reporter spec
}

step_page() {
    build_wasm
    build_page
    node tests/budgets/budgets.mjs
    node tests/budgets/notices.mjs
}

step_browser() {
    build_wasm
    build_page
    npm --prefix web run --silent test
}

step_audit() { node .ci/audit.mjs web; }

step_tidy() {
    build_native # it notes which headers each file includes
    node .ci/tidy.mjs build/native "$JOBS"
}

# in_shards PROGRAM: every case of a program of Catch2 2, in as many processes at once as there are processors. With the
# sanitizers in it, a process takes longer to start than most cases take. There are more shards than that, for some take longer.
in_shards() {
    local names=$1.names shards=$((JOBS * 4)) shard
    # It returns how many there are, and takes a comma for the end of a name.
    "$1" --list-test-names-only | sed 's/,/\\,/g' >"$names" || true
    for ((shard = 0; shard < shards; shard++)); do
        awk "NR % $shards == $shard" "$names" >"$names.$shard"
        if [[ $("$1" --input-file "$names.$shard" --list-test-names-only | wc -l) != $(wc -l <"$names.$shard") ]]; then
            fail "not every case of $names.$shard is found by its name"
        fi
    done
    seq 0 $((shards - 1)) | xargs -P "$JOBS" -I '{}' "$1" --input-file "$names.{}"
}

step_asan() {
    # With clang, the fuzz targets look for new inputs, too; without, they replay the old ones.
    local preset=asan
    ! has_fuzzer || preset=fuzz
    build_preset "$preset"
    if has_header catch2/catch.hpp; then
        ctest --preset "$preset" --parallel "$JOBS" --tests-regex '^(ten seconds|corpus) of '
        in_shards "build/$preset/tests/plimsoll-tests"
    else
        ctest --preset "$preset" --parallel "$JOBS"
    fi
    # The random and the damaged requests, through the same program with the sanitizers in it.
    build_wasm
    PLIMSOLL_NATIVE=$ROOT/build/$preset/plimsoll-native node --test --test-reporter spec tests/parity/parity.test.mjs
}

step_engine() {
    if ! has_header catch2/catch.hpp; then
        echo "Not run: this system's Catch2 is a library for its own compiler, and only version 2 is a header"
        return
    fi
    build_preset wasm plimsoll-tests
    node build/wasm/tests/plimsoll-tests.cjs
}
