#!/bin/bash
# Rows behind a table of tables, and scratch rows: those that share elements stop the program.
. "$(dirname "$0")/common.sh"
program=$source/tests/programs/samples/row_tables.c

gcc -O2 -ffp-contract=off "$program" -o "$work/serial"
"$orrery_cc" -O2 -Werror=serial "$program" -o "$work/rows" || fail "orrery-cc"
[ "$("$work/rows")" = "$("$work/serial")" ] || fail "wrong sums"
refuses 1 "rows of the tables in t" "$work/rows" 1
refuses 1 "of a overlap, and each iteration needs them for its own" "$work/rows" 2
refuses 1 "of a overlap, and each iteration needs them for its own" "$work/rows" 3
