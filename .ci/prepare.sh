# shellcheck shell=bash
# What the commands need of the system, and how it is brought.

fail() {
    echo "dev: $*" >&2
    exit 1
}

# Group, Debian and Ubuntu package, and what shows that it is there already, by whatever way it came.
requirements() {
    cat <<'END'
native    g++                 has c++
native    cmake               has cmake
native    ninja-build         has ninja
native    nlohmann-json3-dev  has_header nlohmann/json.hpp
native    catch2              has_header catch2/catch.hpp catch2/catch_all.hpp
wasm      cmake               has cmake
wasm      ninja-build         has ninja
wasm      nlohmann-json3-dev  has_header nlohmann/json.hpp
wasm      emscripten          has emcc
lint      clang-format-14     has clang-format-14
lint      clang-tidy-14       has clang-tidy-14
fuzz      cmake               has cmake
fuzz      ninja-build         has ninja
fuzz      nlohmann-json3-dev  has_header nlohmann/json.hpp
fuzz      clang               has clang++
fuzz      libclang-rt-dev     has_fuzzer
coverage  gcovr               has gcovr
node      nodejs              has node
node      npm                 has npm
docs      mkdocs-material     has_material
docs      furo                has_python furo
docs      python3-myst-parser has_python myst_parser
docs      hugo                has hugo
docs      jupyter-nbconvert   has jupyter-nbconvert
docs      python3-ipykernel   has_python ipykernel
browser   chromium            has_browser
browser   firefox-esr         has_firefox
browser   fonts-noto-cjk      has_chinese_font
END
}

has_material() { [[ -d /usr/share/mkdocs/themes/material ]] || has_python material; }

# Of the system's own Python, whatever else is called so.
has_python() { /usr/bin/python3 -c "import $1" 2>/dev/null; }

has() { command -v "$1" >/dev/null; }

has_header() {
    local header folder
    for header in "$@"; do
        for folder in /usr/include /usr/local/include; do
            [[ -f $folder/$header ]] && return
        done
    done
    return 1
}

has_fuzzer() {
    local target='extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'
    clang++ -fsanitize=fuzzer -x c++ - -o /dev/null <<<"$target" 2>/dev/null
}

has_browser() {
    local brought=${PLAYWRIGHT_BROWSERS_PATH:-$HOME/.cache/ms-playwright}
    has chromium || has google-chrome || compgen -G "$brought/chromium-*" >/dev/null
}

has_firefox() { has firefox-esr || has firefox; }

has_chinese_font() { has fc-list && [[ -n $(fc-list :lang=zh family) ]]; }

# prepare GROUP…: returns when every requirement of these groups is met, or ends the program saying which is not.
# The group `web` also means node, and the npm packages of web/.
prepare() {
    mkdir -p build/logs build/stamps
    local groups=" $* " missing=() group package check
    if [[ $groups == *" web "* || $groups == *" browser "* ]]; then groups+="node "; fi
    while read -r group package check; do
        [[ $groups == *" $group "* && " ${missing[*]-} " != *" $package "* ]] || continue
        # shellcheck disable=SC2086
        $check || missing+=("$package")
    done < <(requirements)
    if [[ ${#missing[@]} -gt 0 ]]; then install_packages "${missing[@]}"; fi
    if [[ $groups == *" web "* || ($groups == *" node "* && ! $(node_is_new_enough && echo yes)) ]]; then
        install_modules
    fi
    if [[ $groups == *" browser "* ]] && ! has_browser; then install_browser; fi
    if [[ $groups == *" browser "* ]] && ! has chromium-headless-shell; then install_shell; fi
}

as_root() {
    if [[ $(id -u) == 0 ]]; then
        "$@"
    elif [[ -t 0 ]]; then
        sudo "$@"
    else
        sudo --non-interactive "$@"
    fi
}

# Nothing that is there is removed for what comes.
apt_install() {
    {
        as_root apt-get update &&
            as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends --no-remove \
                -o DPkg::Lock::Timeout=600 "$@"
    } </dev/null >build/logs/apt.log 2>&1
}

install_packages() {
    has apt-get || fail "missing, and this system has no apt-get to install them: $*"
    if [[ $(id -u) != 0 ]]; then
        has sudo || fail "missing, and installing needs root or sudo: $*"
        [[ -t 0 ]] || sudo --non-interactive true 2>/dev/null ||
            fail "missing, and sudo asks for a password that nobody is here to type: $*"
    fi
    # Ubuntu's chromium is a snap, which a container cannot run: Playwright brings its own there. It has no firefox-esr:
    # what is tested in Firefox is skipped there.
    local packages=() package
    for package in "$@"; do
        [[ $package == chromium || $package == firefox-esr ]] && grep -q '^ID=ubuntu' /etc/os-release || packages+=("$package")
    done
    [[ ${#packages[@]} -gt 0 ]] || return 0
    echo "Installing ${packages[*]}"
    apt_install "${packages[@]}" || {
        tail -n 20 build/logs/apt.log >&2
        fail "could not install ${packages[*]} (build/logs/apt.log)"
    }
}

# What Vite and Playwright ask for.
node_is_new_enough() {
    node -e 'const [a, b] = process.versions.node.split(".").map(Number);
        process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)'
}

# The packages of web/package-lock.json. One of them is Node itself, for systems whose own is too old.
install_modules() {
    local wanted installed
    wanted=$(cat web/package.json web/package-lock.json | sha256sum)
    installed=$(cat build/stamps/modules 2>/dev/null || true)
    [[ $installed == "$wanted" && -d web/node_modules ]] || {
        echo "Installing the npm packages of web/"
        installed=''
        run_npm ci
    }
    if ! node_is_new_enough; then
        export PATH=$ROOT/web/node_modules/node/bin:$PATH
        node_is_new_enough || fail "node $(node --version) is too old, and web/node_modules/node did not help"
        # Under the old Node, npm left out optional packages (native parts of the bundler) that ask for a newer one.
        [[ -n $installed ]] || run_npm install --no-save
    fi
    echo "$wanted" >build/stamps/modules
}

run_npm() {
    npm --prefix web "$@" --no-audit --no-fund </dev/null >build/logs/npm.log 2>&1 || {
        tail -n 20 build/logs/npm.log >&2
        fail "npm $* failed (build/logs/npm.log)"
    }
}

install_browser() {
    echo "Installing Playwright's Chromium"
    (cd web && npx playwright install --with-deps chromium) </dev/null >build/logs/browser.log 2>&1 || {
        tail -n 20 build/logs/browser.log >&2
        fail "no Chromium (build/logs/browser.log)"
    }
}

# Chromium without its window takes two thirds of the time. Where no package has it, Chromium itself is used.
install_shell() {
    has apt-get && has chromium || return 0
    if [[ $(id -u) != 0 ]]; then sudo --non-interactive true 2>/dev/null || return 0; fi
    echo "Installing chromium-headless-shell"
    apt_install chromium-headless-shell || echo "It did not come (build/logs/apt.log): Chromium itself is used"
}
