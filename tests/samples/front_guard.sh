#!/bin/bash
# Sums into an array that begins in the middle of another one: the serial program's result, also where
# elements in front of its beginning are touched. On several ranks copies have none of those: then the run stops.
. "$(dirname "$0")/common.sh"
gcc -O2 -w "$source/tests/programs/samples/front_guard.c" -o "$work/serial"
"$orrery_cc" -O2 -Werror=serial "$source/tests/programs/samples/front_guard.c" -o "$work/sums" || fail "orrery-cc"
for how in inside key distance; do
    for threads in 1 3; do
        [ "$(ORRERY_THREADS=$threads "$work/sums" $how)" = "$("$work/serial" $how)" ] || fail "$how, $threads threads"
    done
done
for how in key distance; do
    status=0
    timeout 300 "$orrery" run -n 2 --oversubscribe --threads 1 "$work/sums" $how > "$work/out" 2> "$work/err" || status=$?
    if [ $status -eq 0 ] || [ $status -ge 124 ]; then
        fail "$how: status $status: $(cat "$work/out" "$work/err")"
    fi
    grep -q 'front_guard.c:.* in front of what' "$work/err" || { cat "$work/err"; fail "$how: what?"; }
done
