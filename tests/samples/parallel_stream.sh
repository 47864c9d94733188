#!/bin/bash
# A pipeline has the bits of gcc's program, the model that it leaves behind included, for any number of threads and
# ranks and on other grids.
. "$(dirname "$0")/common.sh"

compile gcc stream "$work/plain"
compile "$orrery_cc" stream "$work/stream"
"$work/plain" --records 4000 --output "$work/plain.model" | sed 's/[0-9.]* s,//' > "$work/plain.out"

# same COMMAND...: what it prints and leaves
same() {
    timeout 300 "$@" --records 4000 --output "$work/model" 2> "$work/err" | sed 's/[0-9.]* s,//' > "$work/out"
    cmp "$work/plain.model" "$work/model" || { cat "$work/err"; fail "$*: another model"; }
    cmp "$work/plain.out" "$work/out" || fail "$*: it prints something else"
}

export ORRERY_STATS=1
for threads in 1 2 3 8; do
    ORRERY_THREADS=$threads same "$work/stream"
    grep -q 'pipeline grid 2x' "$work/err" || { cat "$work/err"; fail "no pipeline"; }
done
for grid in 1x1 2x5 2x4000; do
    ORRERY_THREADS=2 ORRERY_GRID=$grid same "$work/stream"
done
for ranks in 2 3; do
    same "$orrery" run -n $ranks --oversubscribe --threads 1 -- "$work/stream"
done
