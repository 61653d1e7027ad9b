#!/bin/bash -eu
# Builds every fuzz_NAME.cpp with OSS-Fuzz's compiler and flags, with its corpus and dictionary beside it.
cd "$SRC/plimsoll"
cmake -S . -B build/oss-fuzz -G Ninja -DCMAKE_BUILD_TYPE=None -DPLIMSOLL_WERROR=OFF -DPLIMSOLL_FUZZ=ON \
    -DPLIMSOLL_FUZZER="$LIB_FUZZING_ENGINE" -DPLIMSOLL_FUZZ_DATA=.
cmake --build build/oss-fuzz
mkdir -p "$OUT/tests/fuzz"
cp -r presets "$OUT/"
cp -r tests/fuzz/corpus "$OUT/tests/fuzz/"
for program in build/oss-fuzz/tests/fuzz/fuzz_*; do
    [[ -x $program && -f $program ]] || continue
    name=$(basename "$program")
    cp "$program" "$OUT/"
    zip -q -j "$OUT/${name}_seed_corpus.zip" "tests/fuzz/corpus/${name#fuzz_}"/*
    [[ ! -f tests/fuzz/${name#fuzz_}.dict ]] || cp "tests/fuzz/${name#fuzz_}.dict" "$OUT/$name.dict"
done
