#!/bin/bash
# Rows behind a table of tables, scratch rows, rows in records: those that share elements stop the program.
. "$(dirname "$0")/common.sh"
program=$source/tests/programs/samples/row_tables.c
export ORRERY_AUTO_US=0 # loops that run as they are written ask nothing

gcc -O2 -ffp-contract=off "$program" -o "$work/serial"
"$orrery_cc" -O2 -Werror=serial "$program" -o "$work/rows" || fail "orrery-cc"
[ "$("$work/rows")" = "$("$work/serial")" ] || fail "wrong sums"
refuses 1 "rows of the tables in t" "$work/rows" 1
refuses 1 "of a overlap, and the loop needs them apart" "$work/rows" 2
refuses 1 "of a overlap, and the loop needs them apart" "$work/rows" 3

# Sums into structures behind a table, and into rows that these lead to.
summed=$source/tests/programs/samples/summed_structures.c
gcc -O2 "$summed" -o "$work/serial"
"$orrery_cc" -O2 -Werror=serial "$summed" -o "$work/summed" || fail "orrery-cc of sums"
"$orrery_cc" -O2 -allow-fallback "$summed" -o "$work/falls_back" || fail "orrery-cc of sums"
[ "$("$work/summed")" = "$("$work/serial")" ] || fail "structures: wrong sums"
for how in 1 2; do refuses 1 "of g overlap, and the loop needs them apart" "$work/summed" $how; done
refuses 1 "of g->sum that are not its own" "$work/summed" 3
refuses 1 "adds to elements of row 1 of g->sum that are not its own" "$work/summed" 4
for how in 1 3; do
    [ "$("$work/falls_back" $how 2> /dev/null)" = "$("$work/serial" $how)" ] || fail "structures $how: wrong sums"
done

# Records behind pointers to structures, and in structures: what shares memory stops the program.
records=$source/tests/programs/samples/record_tables.c
gcc -O2 -ffp-contract=off "$records" -o "$work/serial"
"$orrery_cc" -O2 -Werror=serial "$records" -o "$work/records" || fail "orrery-cc of records"
"$orrery_cc" -O2 -allow-fallback "$records" -o "$work/falls_back" || fail "orrery-cc of records"
[ "$(ORRERY_THREADS=3 "$work/records")" = "$("$work/serial")" ] || fail "records: wrong sums"
# From the start, when a pass has run, and when so many have that pointers are watched.
for late in 0 1 7; do
    refuses 1 "the rows of ex->val and w do not overlap" "$work/records" 1 $late
    refuses 1 "the rows of ex->val do not overlap" "$work/records" 2 $late
    refuses 1 "the rows of ex->val do not overlap" "$work/records" 3 $late
    refuses 1 "the rows of rows.entries and q do not overlap" "$work/records" 4 $late
    refuses 1 "the rows of users.stats do not overlap" "$work/records" 5 $late
done
for how in 1 2 3 4 5; do
    for late in 1 7; do
        [ "$(ORRERY_THREADS=3 "$work/falls_back" $how $late 2> /dev/null)" = "$("$work/serial" $how $late)" ] ||
            fail "records $how from pass $late: wrong sums"
    done
done

# Tables that a loop meets in turn: what was proved of one says nothing of another, nor of what one became.
turns=$source/tests/programs/samples/tables_in_turn.c
gcc -O2 "$turns" -o "$work/serial"
"$orrery_cc" -O2 -Werror=serial "$turns" -o "$work/turns" || fail "orrery-cc of tables in turn"
"$orrery_cc" -O2 -allow-fallback "$turns" -o "$work/falls_back" || fail "orrery-cc of tables in turn"
[ "$(ORRERY_THREADS=3 "$work/turns")" = "$("$work/serial")" ] || fail "in turn: wrong sums"
refuses 1 "the rows of the tables in t do not overlap" "$work/turns" 1
refuses 1 "rows of the tables in t" "$work/turns" 2
refuses 1 "overlap" "$work/turns" 3
for how in 0 1 2 3; do
    [ "$(ORRERY_THREADS=3 "$work/falls_back" $how 2> "$work/said")" = "$("$work/serial" $how)" ] ||
        fail "in turn $how: wrong sums"
    runs=$(grep -c 'runs serially' "$work/said" || true)
    case $how in 0) wanted=0 ;; *) wanted=2 ;; esac
    [ "$runs" = "$wanted" ] || fail "in turn $how: $runs runs are serial, not $wanted"
done
