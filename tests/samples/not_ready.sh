#!/bin/bash
# A marked loop that runs as it was written, since a pointer leads nowhere that it follows under a
# condition, says so; one of -auto does not, and no loop does whose pointers all lead somewhere, or
# whose condition is known in front of it.
. "$(dirname "$0")/common.sh"
program=$source/tests/programs/bugs/pointers_to_nothing.c
gcc -O1 -w "$program" -o "$work/serial"
"$orrery_cc" -O1 -w "$program" -o "$work/marked" || fail "orrery-cc"
sed '/#pragma/d' "$program" > "$work/pointers_to_nothing.c"
"$orrery_cc" -auto -O1 -w "$work/pointers_to_nothing.c" -o "$work/auto" || fail "orrery-cc -auto"
"$work/serial" > "$work/expected"
for one in marked auto; do
    ORRERY_AUTO_US=0 ORRERY_THREADS=2 "$work/$one" > "$work/$one.out" 2> "$work/$one.err" || fail "$one: status $?"
    cmp "$work/expected" "$work/$one.out" || fail "$one: another result"
done
said="runs serially: a pointer that it follows under a condition leads nowhere"
grep "$said" "$work/marked.err" | sed 's/.*nothing.c:\([0-9]*\):.*/\1/' | sort | uniq -c | tr -s ' \n' ' ' > "$work/lines"
[ "$(cat "$work/lines")" = " 2 27 1 33 1 53 " ] || fail "said of: $(cat "$work/lines")"
lacks "$said" "$work/auto.err" || fail "-auto says so, too"
