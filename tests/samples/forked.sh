#!/bin/bash
# Children of fork have what parallel loops wrote, on threads and on ranks, and end without ending the run. A parallel
# loop of theirs has workers of its own; ranks it has none, and says so.
. "$(dirname "$0")/common.sh"
program=$source/tests/programs/samples/forked.c

gcc -O2 -w "$program" -o "$work/serial"
"$orrery_cc" -O2 -Werror=serial "$program" -o "$work/forked" || fail "orrery-cc"
for what in read exit free loop; do
    "$work/serial" $what >"$work/expected"
    ORRERY_THREADS=3 timeout -k 2 300 "$work/forked" $what >"$work/actual" || fail "$what: status $?"
    cmp "$work/expected" "$work/actual" || fail "$what: other output"
    [ $what != loop ] || break
    timeout -k 2 300 "$orrery" run -n 2 --oversubscribe --threads 1 "$work/forked" $what >"$work/actual" || fail "$what on ranks: status $?"
    cmp "$work/expected" "$work/actual" || fail "$what: other output on ranks"
done
timeout -k 2 300 "$orrery" run -n 2 --oversubscribe --threads 1 "$work/forked" loop >"$work/out" 2>"$work/err" || fail "loop on ranks: status $?"
grep -q 'reached by a child of fork, which has no ranks' "$work/err" || fail "it does not say that a child has no ranks"
[ "$(grep -c '^1 1$' "$work/out")" = 3 ] || fail "children on ranks do not end by themselves"
