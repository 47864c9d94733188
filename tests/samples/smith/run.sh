#!/bin/bash
# Random loops against a recorder of accesses: fails when a loop is called parallel and two of its
# iterations met in a way the claimed strategy does not allow. With ORRERY_CC also builds the loops
# in parallel: where the strategy keeps the serial order of all that meets, results must be equal.
# usage: run.sh ORRERY TOOLS FIRST_SEED SEEDS LOOPS [ORRERY_CC]
#   TOOLS: folder with `gen` and `claims`. Long run by hand: run.sh ... 1000 500 100
set -eu

orrery=$1 tools=$2 first=$3 seeds=$4 loops=$5 orrery_cc=${6:-}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The results of the loops whose order is kept: all but those on two dims.
kept_results() {
    awk 'FILENAME == ARGV[1] { if ($1 == "#define" && /rotation/) skip[substr($2, 7)] = 1; next }
         { name = substr($1, 6); if (!(name in skip)) print }' "$work/claims.h" "$1"
}

compare_parallel() {
    cc -O1 -w "$work/plain.c" -o "$work/serial"
    "$work/serial" > "$work/serial.txt"
    "$orrery_cc" -O1 -w "$work/plain.c" -o "$work/parallel"
    for threads in 1 3; do
        ORRERY_THREADS=$threads timeout 60 "$work/parallel" > "$work/parallel.txt" ||
            { echo "seed $seed: the parallel program failed with $threads threads"; return 1; }
        kept_results "$work/serial.txt" > "$work/a"
        kept_results "$work/parallel.txt" > "$work/b"
        cmp -s "$work/a" "$work/b" ||
            { echo "seed $seed: $threads threads differ"; diff "$work/a" "$work/b" | head -4; return 1; }
    done
}

bad=0
for ((seed = first; seed < first + seeds; ++seed)); do
    "$tools/gen" "$seed" "$loops" "$work/plain.c" "$work/record.c"
    "$orrery" analyze --format=json "$work/plain.c" > "$work/json" ||
        { echo "seed $seed: analyze failed"; bad=1; continue; }
    "$orrery" plan "$work/plain.c" -o "$work/plan" ||
        { echo "seed $seed: plan failed"; bad=1; continue; }
    "$tools/claims" "$loops" "$work/json" "$work/plan" > "$work/claims.h"
    cc -w -I "$here" -I "$work" "$work/record.c" -o "$work/record" ||
        { echo "seed $seed: a dim is no C expression of the iteration"; bad=1; continue; }
    "$work/record" > "$work/log" || bad=1
    sed "s/^/seed $seed: /" "$work/log"
    if [ -n "$orrery_cc" ]; then
        compare_parallel || bad=1
    fi
done
exit $bad
