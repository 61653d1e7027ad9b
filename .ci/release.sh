# shellcheck shell=bash
# What ships, in build/release: the site as a folder and an archive, the single files, the npm packages, what answers changed,
# a bill of materials and the checksums of them all. Nothing of it depends on the day, the user or the folder.

# archive FOLDER FILE: a tar of a folder whose bytes depend on its contents alone.
archive() {
    tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -C "$1" -cf - . | gzip -n -9 >"$2"
}

make_release() {
    local release=$ROOT/build/release version
    version=$(node -p 'require("./web/package.json").version')
    rm -rf "$release"
    mkdir -p "$release"
    cp -r web/dist "$release/site"
    rm -rf "$release/site/node" # of the package
    node tests/releases/differ.mjs --table "$release/CHANGED-ANSWERS.md" | tail -n 1
    cp web/dist/plimsoll.html web/dist/plimsoll-calculator.js web/dist/plimsoll-calculator.all.js web/dist/plimsoll-engine.js web/dist/THIRD-PARTY.txt "$release"
    archive "$release/site" "$release/plimsoll-site-$version.tar.gz"
    (cd web && npm pack --silent --pack-destination "$release")
    node web/scripts/conformance.mjs build/packages/conformance
    (cd build/packages/conformance && npm pack --silent --pack-destination "$release")
    (cd "$release" && node "$ROOT/web/scripts/sbom.mjs" ./* >"$ROOT/build/sbom.json" && mv "$ROOT/build/sbom.json" sbom.cdx.json)
    (cd "$release" && find . -type f | sort | xargs sha256sum >"$ROOT/build/sums" && mv "$ROOT/build/sums" SHA256SUMS)
    echo "build/release:"
    (cd "$release" && sha256sum -- *.* | sed 's/^/  /')
}
