# shellcheck shell=bash
# What takes long: 100,000 random requests, an hour of fuzzing, 3,000 mutants, coverage. Each part leaves a table in
# build/nightly; docs/trust.md is made of them, and is committed by hand.

NIGHTLY_SECONDS=3600 NIGHTLY_PROPERTIES=100000 NIGHTLY_MUTANTS=3000
# Of all mutants this share must die.
MUTANTS_FLOOR=0.6
NIGHTLY_PARTS=(properties fuzz mutants coverage reproducible generators)
# What npm has of the generators that docs/embedding is for.
NIGHTLY_GENERATORS=(vitepress@1.6.4 @docusaurus/core@3.10.2 @docusaurus/preset-classic@3.10.2 react@19.3.1 react-dom@19.3.1)

nightly_properties() {
    build_native
    PLIMSOLL_PROPERTIES=$NIGHTLY_PROPERTIES PLIMSOLL_SEED=$1 PLIMSOLL_TABLE=$ROOT/build/nightly/properties.md \
        node --test --test-reporter spec tests/properties/properties.test.mjs
}

# The corpus is kept in build/fuzz/kept and minimised there: inputs that reach nothing which smaller ones do not are left out.
nightly_fuzz() {
    local names name each
    read -ra names <<<"$(fuzz_names)"
    each=$((NIGHTLY_SECONDS / ${#names[@]}))
    build_preset fuzz
    {
        echo '| Target | Seconds | Executions | Inputs kept | Found |'
        echo '|---|---|---|---|---|'
    } >build/nightly/fuzz.md
    for name in "${names[@]}"; do fuzz_kept "$name" "$each"; done
    compgen -G 'build/fuzz/found/*.*-*' >/dev/null || return 0
    echo >>build/nightly/fuzz.md
    # shellcheck disable=SC2016  # quotes of Markdown
    find build/fuzz/found -maxdepth 1 -name '*.*-*' -printf '- found: `%f`, %s bytes\n' | sort >>build/nightly/fuzz.md
    return 1
}

# fuzz_kept NAME SECONDS
fuzz_kept() {
    local name=$1 target=build/fuzz/tests/fuzz/fuzz_$1 log=build/nightly/fuzz.$1.log words=() found
    mkdir -p "build/fuzz/kept/$name" build/fuzz/found
    [[ ! -f tests/fuzz/$name.dict ]] || words=("-dict=tests/fuzz/$name.dict")
    "$target" -max_total_time="$2" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 "${words[@]}" \
        -artifact_prefix="build/fuzz/found/$name." "build/fuzz/kept/$name" "tests/fuzz/corpus/$name" >"$log" 2>&1 || true
    rm -rf "build/fuzz/merged/$name"
    mkdir -p "build/fuzz/merged/$name"
    "$target" -merge=1 "build/fuzz/merged/$name" "tests/fuzz/corpus/$name" "build/fuzz/kept/$name" >>"$log" 2>&1 || true
    rm -rf "build/fuzz/kept/$name"
    mv "build/fuzz/merged/$name" "build/fuzz/kept/$name"
    found=$(find build/fuzz/found -maxdepth 1 -name "$name.*-*" | wc -l)
    echo "| $name | $2 | $(awk '/number_of_executed_units/ {print $2}' "$log") | $(find "build/fuzz/kept/$name" -type f | wc -l) | $found |" \
        >>build/nightly/fuzz.md
}

nightly_mutants() {
    node tests/mutation/mutate.mjs --count "$NIGHTLY_MUTANTS" --seed "$1" --rebuilt --further --floor "$MUTANTS_FLOOR" --table build/nightly/mutants.md
}

nightly_coverage() {
    measure_coverage --table build/nightly/coverage.md
}

# measure_coverage ARGUMENT…: builds with counters, runs the tests that ask the native engine, and holds what they ran
# against the floors.
measure_coverage() {
    local -x PLIMSOLL_NATIVE=$ROOT/build/coverage/plimsoll-native
    build_wasm
    build_preset coverage plimsoll-native plimsoll-tests
    find build/coverage -name '*.gcda' -delete
    ctest --preset coverage --parallel "$JOBS"
    PLIMSOLL_PROPERTIES=2000 node --test tests/properties/{properties,solve}.test.mjs tests/parity/parity.test.mjs
    node tests/score/score.mjs --rows >build/logs/coverage.rows
    node tests/coverage/coverage.mjs build/coverage "$@"
}

nightly_reproducible() {
    # shellcheck source=.ci/reproducible.sh
    . .ci/reproducible.sh
    check_reproducible | tee build/nightly/reproducible.log
    sed 's/^/    /' build/nightly/reproducible.log >build/nightly/reproducible.md
}

# The projects of docs/embedding, made by MkDocs, Sphinx, Hugo, Jupyter, VitePress and Docusaurus.
nightly_generators() {
    prepare docs web browser
    build_wasm
    build_page
    mkdir -p build/generators
    [[ -f build/generators/package.json ]] || echo '{}' >build/generators/package.json
    npm --prefix build/generators install --no-audit --no-fund "${NIGHTLY_GENERATORS[@]}"
    (cd web && npx playwright test generators --workers 1)
}

# run_nightly [--seconds N] [--properties N] [--mutants N] [--seed N] [PART…]
run_nightly() {
    local wanted=() seed part status failed=()
    seed=$(date +%Y%m%d)
    while [[ $# -gt 0 ]]; do
        case $1 in
            --seconds) NIGHTLY_SECONDS=$2 && shift 2 ;;
            --properties) NIGHTLY_PROPERTIES=$2 && shift 2 ;;
            --mutants) NIGHTLY_MUTANTS=$2 && shift 2 ;;
            --seed) seed=$2 && shift 2 ;;
            *) wanted+=("$1") && shift ;;
        esac
    done
    [[ ${#wanted[@]} -gt 0 ]] || wanted=("${NIGHTLY_PARTS[@]}")
    for part in "${wanted[@]}"; do
        [[ " ${NIGHTLY_PARTS[*]} " == *" $part "* ]] || fail "no part $part here; the parts: ${NIGHTLY_PARTS[*]}"
    done
    mkdir -p build/nightly
    for part in "${wanted[@]}"; do
        echo "$part …"
        rm -f "build/nightly/$part.md"
        # Not before `||`: that would switch errexit off inside the part.
        set +e
        (
            set -e
            "nightly_$part" "$seed"
        ) >"build/logs/nightly.$part.log" 2>&1 </dev/null
        status=$?
        set -e
        [[ $status == 0 ]] || failed+=("$part")
        tail -n 3 "build/logs/nightly.$part.log" | sed 's/^/    /'
    done
    node tests/nightly/write.mjs "$seed" "${wanted[@]}"
    [[ ${#failed[@]} == 0 ]] || fail "nightly: ${failed[*]} (build/logs/nightly.*.log)"
}
