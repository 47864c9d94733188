#!/bin/bash
# Two tables in one array: their rows are cut and sent apart as long as the run sees that they do
# not run into each other, by one row even.
. "$(dirname "$0")/common.sh"
program=$source/tests/programs/samples/two_tables.c
"$orrery_cc" -O1 -Werror=serial "$program" -o "$work/tables" || fail "orrery-cc"
one=$(ORRERY_THREADS=1 "$work/tables" 99 0) || fail "the last row of the first table"
[ "$(ORRERY_THREADS=3 "$work/tables" 99 0)" = "$one" ] || fail "threads differ"
[ "$(timeout 300 "$orrery" run -n 2 --threads 1 -- "$work/tables" 99 0)" = "$one" ] || fail "ranks differ"
"$orrery" verify --threads 1,2 --ranks 2 --runs 1 -- "$work/tables" > "$work/out" 2>&1 ||
    { cat "$work/out"; fail "verify"; }

refuses 1 "100 (iteration 500) of W" "$work/tables" 100
refuses 1 "99 (iteration 700) to" "$work/tables" 5 -1
refuses 1 "the rows of W do not run into those of W + users" "$work/tables" 5 -2
timeout 300 "$orrery" run -n 2 --threads 1 -- "$work/tables" 100 > "$work/out" 2>&1 && fail "ranks run on"
grep -q "two_tables.c:[0-9]*: the loop cannot run in parallel on these data" "$work/out" ||
    { cat "$work/out"; fail "ranks stop for another reason"; }
"$orrery_cc" -O1 -allow-fallback "$program" -o "$work/either" || fail "orrery-cc -allow-fallback"
gcc -O1 -ffp-contract=off "$program" -o "$work/serial"
[ "$("$work/either" 5 -1 2> /dev/null)" = "$("$work/serial" 5 -1)" ] || fail "the fallback is not serial"
