#!/bin/sh
# Run one step and say how long it took: step.sh NAME COMMAND...
name=$1
shift
start=$(date +%s)
"$@"
status=$?
took=$(($(date +%s) - start))
if [ "$status" -eq 0 ]; then
    echo "== $name: $took s"
else
    echo "== $name: FAILED after $took s" >&2
fi
exit "$status"
