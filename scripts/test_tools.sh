#!/bin/sh
# What the tests need beside .venv: a browser with its driver, Node.js with npm, and
# PostgreSQL's server, of which the tests start one of their own (Debian keeps its programs outside
# of PATH; pg_ctlcluster comes with them).
# `make test` runs it; it takes no time where they are there. Users of the demo need none of them.
set -eu
cd "$(dirname "$0")/.."
. scripts/system.sh

install_system "test tools" "chromium,chromium-browser,google-chrome:chromium \
    chromedriver:chromium-driver node:nodejs npm:npm pg_ctlcluster,postgres:postgresql"
