#!/bin/sh
# The LangGraph server in the foreground, with the checkout's own pilothouse.toml and .env.
set -eu
cd "$(dirname "$0")/.."

if [ ! -f "${PILOTHOUSE_CONFIG:-pilothouse.toml}" ]; then
    echo "serve: there is no ${PILOTHOUSE_CONFIG:-pilothouse.toml}." >&2
    echo "Write one (docs/configuration.md shows how), or try everything with: make demo" >&2
    exit 1
fi
[ -f .env ] || echo "serve: no .env here; secrets are taken from the environment alone" >&2
.venv/bin/pilothouse config check || echo "serve: starting anyway; see above" >&2
export LANGGRAPH_STRICT_MSGPACK=true LANGGRAPH_CLI_NO_ANALYTICS=1 LANGGRAPH_NO_VERSION_CHECK=true
exec .venv/bin/langgraph dev --no-browser --no-reload --host "${HOST:-127.0.0.1}" \
    --port "${PORT:-2024}" --n-jobs-per-worker "${JOBS:-10}"
