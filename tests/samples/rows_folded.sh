#!/bin/bash
# Sums into rows behind a table of pointers: rows that share elements stop the program.
. "$(dirname "$0")/common.sh"
program=$source/tests/samples/rows_folded.c

gcc -O2 "$program" -o "$work/serial"
"$orrery_cc" -O2 -Werror=serial "$program" -o "$work/rows" || fail "orrery-cc"
[ "$("$work/rows" 5)" = "$("$work/serial" 5)" ] || fail "wrong sums"
for apart in 2 0; do
    refuses 1 "elements of row 0 of g that are not its own" "$work/rows" $apart
done
