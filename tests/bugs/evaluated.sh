#!/bin/bash
# One program whose loops may evaluate nothing that C does not: marked, and unmarked under -auto, it
# gives on 1 to 3 threads, shared out, what gcc -O1 makes of it. Its first line says how many of its marked loops
# are parallel: /* evaluated: N */
# usage: evaluated.sh BINDIR PROGRAM.c
. "$(dirname "$0")/../lib.sh"

bin=$1 program=$2
wanted=$(sed -n '1s|/\* evaluated: \([0-9]*\) \*/|\1|p' "$program")

got=$("$bin/orrery" analyze "$program" 2>/dev/null | grep -c 'remark: parallel' || true)
[ "$got" = "$wanted" ] || fail "$got marked loops are parallel, $wanted should be"

gcc -std=gnu11 -O1 -ffp-contract=off -w "$program" -o "$work/plain" -lm
"$work/plain" > "$work/expected"
sed 's/^ *#pragma orrery.*//' "$program" > "$work/unmarked.c"
"$bin/orrery-cc" -std=gnu11 -O1 -ffp-contract=off -w "$program" -o "$work/marked" -lm 2> "$work/said" ||
    { cat "$work/said"; fail "marked, it is not compiled"; }
"$bin/orrery-cc" -auto -DORRERY_SHORT_LOOPS -std=gnu11 -O1 -ffp-contract=off -w "$work/unmarked.c" -o "$work/auto" -lm \
    2> "$work/said" || { cat "$work/said"; fail "under -auto, it is not compiled"; }

for how in "marked 1" "marked 3" "auto 2" "auto 3"; do
    read -r how threads <<<"$how"
    ORRERY_AUTO_US=0 ORRERY_THREADS=$threads timeout 300 "$work/$how" > "$work/actual" ||
        fail "$how: status $? with $threads threads"
    diff "$work/expected" "$work/actual" || fail "$how: other results with $threads threads"
done
