#!/bin/bash
# A loop that takes two data sets in turn is inspected once for each, on threads and on ranks.
# usage: inspections.sh two_data_sets.c
. "$(dirname "$0")/lib.sh"
"$orrery_cc" -O1 -w "$program" -o "$work/parallel" -lm || fail "orrery-cc does not build it"
export ORRERY_STATS=1

inspected_twice() {
    "$@" "$work/parallel" > "$work/out" 2> "$work/err" || { cat "$work/err"; fail "it does not run"; }
    grep -q ' passes 8 iterations 4200 ' "$work/err" || { cat "$work/err"; fail "other passes"; }
    grep -q ' inspections 2 ' "$work/err" || { cat "$work/err"; fail "not two inspections ($*)"; }
}

inspected_twice env ORRERY_THREADS=2
# ThreadSanitizer's shadow leaves no range of addresses that two ranks could share.
[ "${SANITIZER:-}" = thread ] || inspected_twice timeout 300 "$orrery" run -n 2 --threads 1 --
