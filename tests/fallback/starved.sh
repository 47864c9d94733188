#!/bin/bash
# starved.sh BINDIR PROGRAM.c: whichever allocation of the runtime fails once the program has begun, the loop that
# wanted it runs serially, and the results are gcc's.
. "$(dirname "$0")/../lib.sh"
bin=$1 program=$2
dir=$work
export ORRERY_AUTO_US=0
gcc -std=gnu11 -O1 -ffp-contract=off -w "$program" -o "$dir/plain"
"$dir/plain" >"$dir/expected"
"$bin/orrery-cc" -auto -DORRERY_SHORT_LOOPS -std=gnu11 -O1 -ffp-contract=off -w "$program" -o "$dir/built"
refused=0
for threads in 1 2; do
    for nth in $(seq $((4 + 9 * (threads - 1))) 18 240); do
        ORRERY_STATS=1 ORRERY_THREADS=$threads ORRERY_DEBUG=torture=alloc:$nth timeout 300 "$dir/built" >"$dir/out" 2>"$dir/err" ||
            { cat "$dir/err" >&2; echo "allocation $nth, $threads threads: status $?" >&2; exit 1; }
        diff "$dir/expected" "$dir/out" >&2 || { echo "allocation $nth, $threads threads" >&2; exit 1; }
        ! grep -q 'runs serially: .*memory' "$dir/err" || refused=$((refused + 1))
    done
done
[ "$refused" -gt 8 ] || { echo "only $refused allocations were those of loops" >&2; exit 1; }
