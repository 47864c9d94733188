#!/bin/bash
# The check of rows against a look at all pairs of them: the loop runs serially just as often as two
# rows overlap, and the result is the serial one.
. "$(dirname "$0")/common.sh"
program=$source/tests/programs/samples/facts_random.c
gcc -O1 -ffp-contract=off "$program" -o "$work/serial"
"$orrery_cc" -O1 -allow-fallback -Werror=serial "$program" -o "$work/rows" || fail "orrery-cc"
for seed in 1 2 3 4 5 6; do
    wanted=$("$work/serial" $seed)
    found=$(ORRERY_THREADS=$((seed % 3 + 1)) "$work/rows" $seed 2> "$work/err") || fail "seed $seed fails"
    [ "$found" = "$wanted" ] || fail "seed $seed: $found in place of $wanted"
    serial=$(grep -c "runs serially: iteration" "$work/err")
    [ "$serial" = "${wanted%% *}" ] || fail "seed $seed: ran serially $serial times, ${wanted%% *} rows overlap"
done
