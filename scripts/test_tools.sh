#!/bin/sh
# What the tests need beside .venv: a browser with its driver, and Node.js with npm.
# `make test` runs it; it takes no time where they are there. Users of the demo need none of them.
set -eu
cd "$(dirname "$0")/.."
. scripts/system.sh

install_system "test tools" "chromium,chromium-browser,google-chrome:chromium \
    chromedriver:chromium-driver node:nodejs npm:npm"
