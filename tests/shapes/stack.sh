#!/bin/bash
# A loop whose body has an array of 3 MB of its own: workers have as much stack as the program, without a limit too.
# usage: stack.sh large_frames.c
. "$(dirname "$0")/lib.sh"
"$orrery_cc" -O1 -w "$program" -o "$work/parallel" -lm || fail "orrery-cc does not build it"
export ORRERY_THREADS=3

# with KILOBYTES [NAME=VALUE]: under this limit.
with() {
    local limit=$1
    shift
    (ulimit -s "$limit" && env "$@" "$work/parallel" > "$work/out" 2> "$work/err")
}

same() {
    [ "$(cat "$work/out")" = "$("$work/parallel" serial)" ] || fail "other results: $1"
}

with 8192 || fail "status $? with 8 MB"
same "8 MB"
with 8192 ORRERY_STACK=40 || fail "status $? with 40 MB for workers"
same "40 MB for workers"
if (ulimit -s unlimited) 2> /dev/null; then
    with unlimited || fail "status $? without a limit"
    same "without a limit"
fi
! with 8192 ORRERY_STACK=900000000 || fail "900 TB of stack"
grep -q 'cannot start worker thread 1 of 3 with 900000000 MB of stack: .*ORRERY_STACK lower' "$work/err" ||
    { cat "$work/err"; fail "it does not say that there is no such stack"; }
