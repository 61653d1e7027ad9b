# shellcheck shell=bash
# Runs the steps of steps.sh. All output goes to build/logs/STEP.log; the terminal shows which step runs, every half
# minute how far it is, and at the end what each step's runner says of itself (build/logs/COMMAND.summary keeps that).

SUMMARIES='^[0-9]+% tests passed|^Total Test time'                       # ctest
SUMMARIES+='|^All tests passed|^test cases:|^assertions:|^Not run:'     # Catch2
SUMMARIES+='|^. (tests|pass|fail|cancelled|skipped|todo) [0-9]+$'       # node --test
SUMMARIES+='|^ +[0-9]+ (passed|failed|flaky|skipped|did not run)'       # Playwright
SUMMARIES+='|^budget |^notices: |^clang-tidy: |^All matched files|^npm audit: |^mutants: '    # ours and Prettier's

# summary LOG: what a step's runner says of itself, out of its log.
summary() {
    sed 's/\x1b\[[0-9;]*m//g' "$1" | grep -aE "$SUMMARIES" || true
}

# progress LOG: says every half minute how long the step has run, and its log's last line. Ends when it is killed.
progress() {
    local began=$SECONDS
    while sleep 30 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do # not longer than who started it
        echo "      … $((SECONDS - began)) s: $(tail -n 1 "$1" | sed 's/\x1b\[[0-9;]*[A-Za-z]//g' | tr -d '[:cntrl:]' | cut -c 1-100)"
    done
}

# run_step NAME NOW: runs a step that has to run, and stamps it with the fingerprint NOW of its inputs.
run_step() {
    local name=$1 now=$2 log=build/logs/$1.log started=$SECONDS status watcher
    : >"$log"
    progress "$log" &
    watcher=$!
    # Not in an `if`: that would switch errexit off inside the step.
    set +e
    (
        set -e
        "step_$name"
    ) >"$log" 2>&1 </dev/null
    status=$?
    kill "$watcher" && wait "$watcher" 2>/dev/null
    set -e
    if [[ $status == 0 ]]; then
        echo "$now" >"build/stamps/$name"
        echo "      passed in $((SECONDS - started)) s, $((SECONDS / 60)) min $((SECONDS % 60)) s in all"
        return
    fi
    FAILED+=("$name")
    rm -f "build/stamps/$name"
    echo "      FAILED after $((SECONDS - started)) s; the end of $log:"
    tail -n 60 "$log" | sed 's/^/      | /'
}

# wanted_steps KNOWN… -- ARGUMENT…: sets WANTED to the steps that were asked for, and ALL where nothing may be skipped.
wanted_steps() {
    local known=() name
    WANTED=() ALL=
    while [[ $1 != -- ]]; do
        known+=("$1")
        shift
    done
    shift
    for name in "$@"; do
        if [[ $name == --all ]]; then
            ALL=yes
        elif [[ " ${known[*]} " == *" $name "* ]]; then
            WANTED+=("$name")
        else
            fail "no step $name here; the steps: ${known[*]}"
        fi
    done
    [[ ${#WANTED[@]} -gt 0 ]] || WANTED=("${known[@]}")
}

# The compilers and scripts that a step's result depends on besides its inputs.
tools_fingerprint() {
    {
        for name in "${CXX:-c++}" emcc node; do "$name" --version 2>/dev/null || true; done
        cat dev .ci/*.sh .ci/*.mjs
    } | sha256sum
}

# report COMMAND: the last lines, of every step that was wanted.
report() {
    local name
    for name in "${WANTED[@]}"; do
        echo "== ${TITLE[$name]}"
        [[ ! -f build/logs/$name.log ]] || summary "build/logs/$name.log"
    done
    echo
    if [[ ${#FAILED[@]} -gt 0 ]]; then
        echo "FAILED of ./dev $1: ${FAILED[*]}"
    else
        echo "All ${#WANTED[@]} steps of ./dev $1 passed."
    fi
}

# run_steps COMMAND STEP… -- ARGUMENT…
run_steps() {
    local command=$1 name now tools i=0
    shift
    FAILED=()
    wanted_steps "$@"
    rm -f "build/logs/$command.summary"
    # shellcheck disable=SC2046
    prepare $(for name in "${WANTED[@]}"; do echo "${NEEDS[$name]}"; done)
    tools=$(tools_fingerprint)
    SECONDS=0
    for name in "${WANTED[@]}"; do
        i=$((i + 1))
        # shellcheck disable=SC2086
        now="$(fingerprint ${INPUTS[$name]}) $tools"
        if [[ -z $ALL && -z ${ALWAYS[$name]-} && $(cat "build/stamps/$name" 2>/dev/null) == "$now" ]]; then
            echo "[$i/${#WANTED[@]}] ${TITLE[$name]}: passed before, nothing changed since"
            continue
        fi
        echo "[$i/${#WANTED[@]}] ${TITLE[$name]} …"
        run_step "$name" "$now"
    done
    echo
    report "$command" | tee "build/logs/$command.summary"
    [[ ${#FAILED[@]} == 0 ]]
}
