#!/bin/bash
# An assumption that is false: taken at the user's word by a plain run, caught by `orrery verify`.
. "$(dirname "$0")/common.sh"
sed 's/ASSUME/assume(noalias(out, in))/' "$source/tests/programs/samples/overlap.c" > "$work/overlap.c"

"$orrery" analyze --format=json "$work/overlap.c" > "$work/json"
grep -q '"assumptions":\["' "$work/json" || fail "the report lists no assumption"
"$orrery_cc" -O2 "$work/overlap.c" -o "$work/overlap" || fail "orrery-cc"
"$orrery" verify --runs 1 --threads 1,2 --ranks 0 -- "$work/overlap" 2000 > "$work/out" 2>&1 ||
    { cat "$work/out"; fail "a true assumption does not verify"; }
status=0
"$orrery" verify --runs 1 --threads 1,2 --ranks 0 -- "$work/overlap" 1 > "$work/out" 2>&1 || status=$?
[ $status -eq 1 ] || { cat "$work/out"; fail "verify of a false assumption: status $status"; }
