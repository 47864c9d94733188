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

# The results of the loops whose order is kept: all but those on two dims. In an unordered loop the
# last value of a private scalar is that of any order.
kept_results() {
    awk 'FILENAME == ARGV[1] {
             if (/^#pragma orrery/) unordered[count++] = /unordered/
             next
         }
         FILENAME == ARGV[2] {
             name = substr($2, 7)
             if (/^#define CLAIM/ && /rotation/) skip[name] = 1
             if (/^#define CLAIM/ && /"[^"]*,s1,[^"]*", "/ && unordered[name]) last[name] = 1
             next
         }
         { name = substr($1, 6) }
         name in skip { next }
         name in last { $2 = "" }
         { print }' "$work/plain.c" "$work/claims.h" "$1"
}

# Builds the loops with both compilers. Those that a condition would stop are left out, but for the
# first of them, which has to be stopped; those with second names that a run checks are left out too.
compare_parallel() {
    local stopped left_out threads
    stopped=$(sed -n 's/^stopped //p' "$work/log" | tr '\n' ' ')
    left_out="$stopped $(sed -n 's/^#define CLAIM_\([0-9]*\) .*\([PQ] and \| and [PQ]\).*/\1/p' "$work/claims.h" | tr '\n' ' ')"
    cc -O1 -w "$work/plain.c" -o "$work/serial"
    # shellcheck disable=SC2086
    "$work/serial" $left_out > "$work/serial.txt"
    "$orrery_cc" -O1 -w "$work/plain.c" -o "$work/parallel" > "$work/cc.log" 2>&1 ||
        { cat "$work/cc.log"; echo "seed $seed: orrery-cc failed"; return 1; }
    for threads in 1 3; do
        # shellcheck disable=SC2086
        ORRERY_THREADS=$threads timeout 60 "$work/parallel" $left_out > "$work/parallel.txt" ||
            { echo "seed $seed: the parallel program failed with $threads threads"; return 1; }
        kept_results "$work/serial.txt" > "$work/a"
        kept_results "$work/parallel.txt" > "$work/b"
        cmp -s "$work/a" "$work/b" ||
            { echo "seed $seed: $threads threads differ"; diff "$work/a" "$work/b" | head -4; return 1; }
    done
    [ -n "$stopped" ] || return 0
    # shellcheck disable=SC2086
    if timeout 60 "$work/parallel" ${left_out#* } > "$work/parallel.txt" 2> "$work/cc.log"; then
        echo "seed $seed: loop_${stopped%% *} ran, though its guard does not hold"
        return 1
    fi
    grep -q 'cannot run in parallel on these data' "$work/cc.log" ||
        { cat "$work/cc.log"; echo "seed $seed: a failed guard is not named"; return 1; }
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
    grep -v '^stopped' "$work/log" | sed "s/^/seed $seed: /"
    if [ -n "$orrery_cc" ]; then
        compare_parallel || bad=1
    fi
done
exit $bad
