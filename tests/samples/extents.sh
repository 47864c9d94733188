#!/bin/bash
# extent() for memory that Orrery did not see allocated: with it two arrays in one block are told
# apart to the byte; without it they are not; one that is too large is found.
. "$(dirname "$0")/common.sh"
program=$source/tests/programs/samples/extents.c
gcc -O1 -ffp-contract=off "$program" -o "$work/serial"
"$orrery_cc" -O1 -Werror=serial "$program" -o "$work/extents" || fail "orrery-cc"
[ "$(ORRERY_THREADS=3 "$work/extents")" = "$("$work/serial")" ] || fail "another result"
refuses 1 "share memory" "$work/extents" 1
grep -q 'extents.c:[0-9]*: .*\bval\b.*\bd\b' "$work/err" || { cat "$work/err"; fail "who?"; }
refuses 1 "its memory has only" "$work/extents" 0 100

sed 's/extent([a-z]* : [a-z0-9 +]*)//g' "$program" > "$work/bare.c"
"$orrery_cc" -O1 "$work/bare.c" -o "$work/bare" || fail "orrery-cc without the clauses"
refuses 1 "share memory, as far as their sizes are known" "$work/bare"
