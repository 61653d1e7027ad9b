# shellcheck shell=bash
# Two builds of the WebAssembly from two folders give the same bytes: whoever has the source can check what ships.

# built_elsewhere FOLDER: builds what is tracked in a folder of its own, and prints the hashes of what ships.
built_elsewhere() {
    mkdir -p "$1"
    git ls-files -z | xargs -0 cp --parents --target-directory="$1"
    (
        cd "$1"
        export CCACHE_DISABLE=1 # else the second build would be handed what the first one made
        cmake --preset wasm
        cmake --build --preset wasm --parallel "$JOBS" --target plimsoll plimsoll-whole plimsoll-logs
    ) >"$1.log" 2>&1 || {
        tail -n 20 "$1.log" >&2
        fail "no build in $1"
    }
    (cd "$1/build/wasm" && sha256sum plimsoll{,-whole,-logs}.{mjs,wasm})
}

check_reproducible() {
    local place one other
    place=$(mktemp -d)
    one=$(built_elsewhere "$place/a")
    other=$(built_elsewhere "$place/a-folder-with-a-longer-name/in-another")
    rm -rf "$place"
    echo "$one"
    [[ $one == "$other" ]] || fail "two builds differ:
$other"
    echo "reproducible: two builds on two paths give the same bytes"
}
