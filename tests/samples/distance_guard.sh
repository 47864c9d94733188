#!/bin/bash
# a[i] = a[i + m], with m known to the run alone: the serial program's result where no two iterations
# meet; where they do, the run stops and says which values do not fit, or runs serially if it may.
. "$(dirname "$0")/common.sh"
gcc -O2 -ffp-contract=off -w "$source/tests/programs/samples/distance_guard.c" -o "$work/serial"
"$orrery_cc" -O2 "$source/tests/programs/samples/distance_guard.c" -o "$work/guarded" || fail "orrery-cc"
"$orrery_cc" -O2 -allow-fallback "$source/tests/programs/samples/distance_guard.c" -o "$work/either" || fail "orrery-cc"
for m in 0 1000 -1000 1999; do
    for threads in 1 3; do
        [ "$(ORRERY_THREADS=$threads "$work/guarded" $m)" = "$("$work/serial" $m)" ] || fail "m = $m, $threads threads"
    done
done
for m in 1 -1 999 -999; do
    status=0
    ORRERY_THREADS=2 timeout 300 "$work/guarded" $m > "$work/out" 2> "$work/err" || status=$?
    if [ $status -eq 0 ] || [ $status -ge 124 ]; then
        fail "m = $m: status $status: $(cat "$work/out" "$work/err")"
    fi
    grep -q "distance_guard.c:11: .*m = $m\b" "$work/err" || { cat "$work/err"; fail "m = $m: what and where?"; }
    [ "$(ORRERY_THREADS=2 "$work/either" $m 2> /dev/null)" = "$("$work/serial" $m)" ] || fail "m = $m, serially"
done
