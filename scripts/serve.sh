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
checked=0
.venv/bin/pilothouse config check || checked=$?
case $checked in
0) ;;
1) echo "serve: starting all the same: what failed above will not work until it is mended" >&2 ;;
*)
    echo "serve: not started: the server would not work, see above; then run it again" >&2
    exit 2
    ;;
esac
port=$(.venv/bin/python scripts/free_port.py "${HOST:-127.0.0.1}" "${PORT:-2024}") || exit 2
echo "serve: the page is http://${HOST:-127.0.0.1}:$port/agent"
export LANGGRAPH_STRICT_MSGPACK=true LANGGRAPH_CLI_NO_ANALYTICS=1 LANGGRAPH_NO_VERSION_CHECK=true
exec .venv/bin/langgraph dev --no-browser --no-reload --host "${HOST:-127.0.0.1}" \
    --port "$port" --n-jobs-per-worker "${JOBS:-10}"
