#!/bin/bash
# A wavefront over distances in the data: none may be negative. The run stops and names the first that
# is, or runs serially if it may.
. "$(dirname "$0")/common.sh"
program=$source/tests/programs/emit/wave_distances.c
gcc -O2 -ffp-contract=off -w "$program" -o "$work/serial"
"$orrery_cc" -O2 "$program" -o "$work/guarded" || fail "orrery-cc"
"$orrery_cc" -O2 -allow-fallback "$program" -o "$work/either" || fail "orrery-cc"
status=0
ORRERY_THREADS=2 timeout 300 "$work/guarded" 5 > "$work/out" 2> "$work/err" || status=$?
if [ $status -eq 0 ] || [ $status -ge 124 ]; then
    fail "status $status: $(cat "$work/out" "$work/err")"
fi
grep -q 'wave_distances.c:10: .*weight\[i - 1\] >= 0' "$work/err" || { cat "$work/err"; fail "what and where?"; }
[ "$(ORRERY_THREADS=2 "$work/either" 5 2> /dev/null)" = "$("$work/serial" 5)" ] || fail "serially"
