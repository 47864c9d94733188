#!/bin/bash
# Rows behind a table of tables, scratch rows, rows in records: those that share elements stop the program.
. "$(dirname "$0")/common.sh"
program=$source/tests/programs/samples/row_tables.c

gcc -O2 -ffp-contract=off "$program" -o "$work/serial"
"$orrery_cc" -O2 -Werror=serial "$program" -o "$work/rows" || fail "orrery-cc"
[ "$("$work/rows")" = "$("$work/serial")" ] || fail "wrong sums"
refuses 1 "rows of the tables in t" "$work/rows" 1
refuses 1 "of a overlap, and each iteration needs them for its own" "$work/rows" 2
refuses 1 "of a overlap, and each iteration needs them for its own" "$work/rows" 3

# Records behind pointers to structures, and in structures: what shares memory stops the program.
records=$source/tests/programs/samples/record_tables.c
gcc -O2 -ffp-contract=off "$records" -o "$work/serial"
"$orrery_cc" -O2 -Werror=serial "$records" -o "$work/records" || fail "orrery-cc of records"
"$orrery_cc" -O2 -allow-fallback "$records" -o "$work/falls_back" || fail "orrery-cc of records"
[ "$(ORRERY_THREADS=3 "$work/records")" = "$("$work/serial")" ] || fail "records: wrong sums"
# From the start, and when a pass has run.
for late in 0 1; do
    refuses 1 "the rows of ex->val and w do not overlap" "$work/records" 1 $late
    refuses 1 "the rows of ex->val do not overlap" "$work/records" 2 $late
    refuses 1 "the rows of ex->val do not overlap" "$work/records" 3 $late
    refuses 1 "the rows of rows.entries and q do not overlap" "$work/records" 4 $late
    refuses 1 "the rows of users.stats do not overlap" "$work/records" 5 $late
done
for how in 1 2 3 4 5; do
    [ "$(ORRERY_THREADS=3 "$work/falls_back" $how 1 2> /dev/null)" = "$("$work/serial" $how 1)" ] ||
        fail "records $how: wrong sums"
done
