#!/bin/bash
# A served model larger than the memory that any of its four ranks has: 256 MB, and no rank may have
# more than 90 % of that, for the model and everything else; copies need three times the model.
# shellcheck source=tests/samples/served/common.sh
. "$(dirname "$0")/common.sh"
features=64000000
model=$((features * 4 / 1024))

cc -O2 "$here/../../bench/peak.c" -o "$work/peak"
"$build/bin/orrery-cc" -O2 -Werror=serial "$tree/tests/programs/served/large.c" -o "$work/large" > "$work/said" 2>&1 ||
    { cat "$work/said" >&2; exit 1; }

# RANKS SERVE: what it prints; the most KiB that a rank had, in $most.
run() {
    rm -f "$work/peaks"
    ORRERY_DEBUG=serve=$2 timeout -k 2 300 "$MPIRUN" --bind-to none --oversubscribe --mca mpi_yield_when_idle 1 \
        -n "$1" "$work/peak" "$work/peaks" "$work/large" $features > "$work/out" 2> "$work/err" ||
        { cat "$work/err" >&2; exit 1; }
    most=$(sort -n "$work/peaks" | tail -n 1)
    echo "$1 ranks, $2: at most $most KiB on one, the model has $model KiB"
}

run 4 auto
cp "$work/out" "$work/served"
[ "$most" -lt $((model * 9 / 10)) ] || { echo "FAILED: a rank had more than 90 % of the model"; exit 1; }
run 2 never
cmp "$work/out" "$work/served" || { echo "FAILED: other bits"; exit 1; }
[ "$most" -gt "$model" ] || { echo "FAILED: copies need less than the model? then this shows nothing"; exit 1; }

# A limit of 235 MB for each rank: less than the model. Four ranks train it; one is refused before it runs, and so are
# four with copies.
limited() {
    status=0
    ORRERY_MEMORY=$1 ORRERY_DEBUG=serve=$2 timeout -k 2 300 "$build/bin/orrery" run -n "$3" --oversubscribe --threads 1 -- \
        "$work/large" $features > "$work/out" 2> "$work/err" || status=$?
}
refused() {
    [ $status -eq 1 ] && grep -q "$1" "$work/err" && ! grep -q loss "$work/out" ||
        { cat "$work/err"; echo "FAILED: status $status, wanted 1 and: $1"; exit 1; }
}
limited 235 auto 4
[ $status -eq 0 ] && cmp "$work/out" "$work/served" || { cat "$work/err"; echo "FAILED: four ranks of 235 MB: status $status"; exit 1; }
limited 235 auto 1
refused 'need [0-9.]* MB on a rank, which may have 235 (ORRERY_MEMORY): w 256.0 MB and [0-9.]* MB of copies, .*run it on more than 1 rank, or with --spill DIR \[ORR9232\]'
status=0
ORRERY_DEBUG=serve=never timeout -k 2 300 "$build/bin/orrery" run -n 2 --memory 0.235G --oversubscribe --threads 1 -- \
    "$work/large" $features > "$work/out" 2> "$work/err" || status=$?
refused 'which may have 235 (ORRERY_MEMORY): w 256.0 MB and .*\[ORR9232\]'
limited 235 never 4
refused 'w 256.0 MB and .*run it on more than 4 ranks, or with --spill DIR \[ORR9232\]'
limited 150 auto 4
refused 'w 64.0 MB and 112.0 MB of copies, .*\[ORR9232\]'
