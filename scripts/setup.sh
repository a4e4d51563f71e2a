#!/bin/sh
# Make .venv in the checkout from requirements.lock: every file is checked against its hash.
# A second run takes no time while the lock, pyproject.toml and this file are unchanged.
set -eu
cd "$(dirname "$0")/.."

. scripts/system.sh

# Python 3.11 or newer that can make an environment; PYTHON=... names another one.
find_python() {
    for name in ${PYTHON:-} python3.11 python3.12 python3.13 python3 python; do
        if "$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
            >/dev/null 2>&1; then
            echo "$name"
            return 0
        fi
    done
    return 1
}

make_environment() {
    if python=$(find_python); then
        echo "setup: making .venv with $("$python" --version)"
        "$python" -m venv --clear .venv
    elif command -v uv >/dev/null 2>&1; then
        echo "setup: making .venv with uv"
        uv venv --quiet --clear --seed --python ">=3.11,<3.14" .venv
    else
        echo "setup: needs Python 3.11 or newer with its venv module (Debian: python3-venv), or uv" >&2
        exit 1
    fi
}

# uv is in the lock as everything else: pip fetches that one entry, by its hashes.
install_uv() {
    pinned=$(sed -n 's/^uv==\([^ ]*\).*/uv \1/p' requirements.lock)
    case "$(.venv/bin/uv --version 2>/dev/null || true) " in "$pinned "*) return 0 ;; esac
    entry=.venv/uv.txt
    awk '/^uv==/ { on = 1 } on { print } on && !/\\$/ { exit }' requirements.lock >"$entry"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
        --require-hashes -r "$entry"
}

install_system setup "git:git"
stamp=.venv/.up-to-date
key=$(cat requirements.lock pyproject.toml scripts/setup.sh scripts/system.sh | cksum; pwd)
if [ "$(cat "$stamp" 2>/dev/null)" = "$key" ] && .venv/bin/python -c 'import langgraph' 2>/dev/null; then
    exit 0
fi
.venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || make_environment
install_uv
.venv/bin/uv pip install --quiet --python .venv/bin/python --require-hashes -r requirements.lock
.venv/bin/uv pip install --quiet --python .venv/bin/python --no-deps --no-build-isolation -e .
printf '%s\n' "$key" >"$stamp"
