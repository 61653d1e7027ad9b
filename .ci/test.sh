# shellcheck shell=bash
# ./dev test: the steps, in the order of what fails soonest. A step is a title, the paths whose contents decide
# whether it has to run again, and a function step_NAME. All output goes to build/logs; the summaries come last.

STEPS=(format lint native wasm engine node tidy asan page browser)

declare -A TITLE=(
    [format]="formatting (clang-format, Prettier)"
    [lint]="web linter and types"
    [native]="engine: native build and its tests (ctest)"
    [wasm]="engine: WebAssembly build"
    [engine]="engine: its tests in WebAssembly under Node (Catch2)"
    [node]="repository, command line, WebAssembly against native (node --test)"
    [tidy]="clang-tidy"
    [asan]="engine under address and undefined-behaviour sanitizers (ctest, ten seconds of each fuzz target, node --test)"
    [page]="page: build, and bytes against their budgets"
    [browser]="page in Chromium (Playwright)"
)
declare -A NEEDS=(
    [format]="lint web"
    [lint]="web"
    [native]="native"
    [wasm]="wasm"
    [engine]="native wasm node"
    [node]="native wasm web"
    [tidy]="native lint node"
    [asan]="native wasm node fuzz"
    [page]="wasm web browser"
    [browser]="wasm web browser"
)
ENGINE="engine CMakeLists.txt CMakePresets.json"
declare -A INPUTS=(
    [format]="engine tests .ci web .clang-format"
    [lint]="web"
    [native]="$ENGINE presets tests"
    [wasm]="$ENGINE"
    [engine]="$ENGINE presets tests"
    [node]="$ENGINE presets tests web"
    [tidy]="$ENGINE tests .clang-tidy"
    [asan]="$ENGINE presets tests"
    [page]="$ENGINE presets web tests/budgets tests/score tests/measured"
    [browser]="$ENGINE presets web tests/web tests/score tests/measured"
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

step_engine() {
    if ! has_header catch2/catch.hpp; then
        echo "Not run: this system's Catch2 is a library for its own compiler, and only version 2 is a header"
        return
    fi
    build_preset wasm plimsoll-tests
    node build/wasm/tests/plimsoll-tests.cjs
}

step_node() {
    build_native
    build_wasm
    # The page's own tests run in a browser, in a step of their own.
    find tests -name '*.test.mjs' -not -path 'tests/web/*' -print0 | sort -z | xargs -0 node --test --test-reporter spec
}

step_tidy() {
    build_native # it notes which headers each file includes
    node .ci/tidy.mjs build/native "$JOBS"
}

step_asan() {
    # With clang, the fuzz targets look for new inputs, too; without, they replay the old ones.
    local preset=asan
    ! has_fuzzer || preset=fuzz
    build_preset "$preset"
    ctest --preset "$preset" --parallel "$JOBS"
    # The random and the damaged requests, through the same program with the sanitizers in it.
    build_wasm
    PLIMSOLL_NATIVE=$ROOT/build/$preset/plimsoll-native node --test --test-reporter spec tests/parity/parity.test.mjs
}

step_page() {
    build_wasm
    build_page
    node tests/budgets/budgets.mjs
}

step_browser() {
    build_wasm
    build_page
    npm --prefix web run --silent test
}

SUMMARIES='^[0-9]+% tests passed|^Total Test time'                       # ctest
SUMMARIES+='|^All tests passed|^test cases:|^assertions:|^Not run:'     # Catch2
SUMMARIES+='|^. (tests|pass|fail|cancelled|skipped|todo) [0-9]+$'       # node --test
SUMMARIES+='|^ +[0-9]+ (passed|failed|flaky|skipped|did not run)'       # Playwright
SUMMARIES+='|^budget |^clang-tidy: |^All matched files'                 # ours and Prettier's

# What a step's runner says of itself, out of its log.
summary() {
    sed 's/\x1b\[[0-9;]*m//g' "$1" | grep -aE "$SUMMARIES" || true
}

run_steps() {
    local all='' name wanted=() tools now started status failed=()
    for name in "$@"; do
        if [[ $name == --all ]]; then
            all=yes
        elif [[ -n ${TITLE[$name]-} ]]; then
            wanted+=("$name")
        else
            fail "no step $name; the steps: ${STEPS[*]}"
        fi
    done
    [[ ${#wanted[@]} -gt 0 ]] || wanted=("${STEPS[@]}")
    # shellcheck disable=SC2046
    prepare $(for name in "${wanted[@]}"; do echo "${NEEDS[$name]}"; done)
    tools=$({
        for name in "${CXX:-c++}" emcc node; do "$name" --version 2>/dev/null || true; done
        cat dev .ci/*
    } | sha256sum)

    SECONDS=0
    local i=0
    for name in "${wanted[@]}"; do
        i=$((i + 1))
        # shellcheck disable=SC2086
        now="$(fingerprint ${INPUTS[$name]}) $tools"
        if [[ -z $all && $(cat "build/stamps/$name" 2>/dev/null) == "$now" ]]; then
            echo "[$i/${#wanted[@]}] ${TITLE[$name]}: passed before, nothing changed since"
            continue
        fi
        echo "[$i/${#wanted[@]}] ${TITLE[$name]} …"
        started=$SECONDS
        # Not in an `if`: that would switch errexit off inside the step.
        set +e
        (
            set -e
            "step_$name"
        ) >"build/logs/$name.log" 2>&1 </dev/null
        status=$?
        set -e
        if [[ $status == 0 ]]; then
            echo "$now" >"build/stamps/$name"
            echo "      passed in $((SECONDS - started)) s, $((SECONDS / 60)) min $((SECONDS % 60)) s in all"
        else
            failed+=("$name")
            rm -f "build/stamps/$name"
            echo "      FAILED after $((SECONDS - started)) s; the end of build/logs/$name.log:"
            tail -n 60 "build/logs/$name.log" | sed 's/^/      | /'
        fi
    done

    echo
    for name in "${wanted[@]}"; do
        echo "== ${TITLE[$name]}"
        summary "build/logs/$name.log"
    done
    echo
    if [[ ${#failed[@]} -gt 0 ]]; then
        echo "FAILED: ${failed[*]}"
        return 1
    fi
    echo "All ${#wanted[@]} steps passed."
}
