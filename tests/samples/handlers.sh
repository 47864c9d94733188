#!/bin/bash
# A program with a handler of SIGSEGV keeps it for its own faults, and gets none of ours, whichever `signal` it means.
. "$(dirname "$0")/common.sh"
ulimit -c 0
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0"
for standard in c11 gnu11; do
    gcc -O1 -w -std=$standard "$source/tests/programs/samples/handlers.c" -o "$work/serial"
    "$orrery_cc" -O1 -w -std=$standard -Werror=serial "$source/tests/programs/samples/handlers.c" -o "$work/marked"
    wanted=0 got=0
    "$work/serial" > "$work/expected" || wanted=$?
    ORRERY_THREADS=2 "$work/marked" > "$work/out" || got=$?
    cmp "$work/expected" "$work/out" || fail "$standard: another result"
    [ "$got" = "$wanted" ] || fail "$standard: status $got, not $wanted"
done

# Nor does the system refuse to answer into watched memory.
gcc -O1 -w "$source/tests/programs/samples/answers.c" -o "$work/serial"
"$orrery_cc" -O1 -w -Werror=serial "$source/tests/programs/samples/answers.c" -o "$work/marked"
"$work/serial" > "$work/expected"
ORRERY_THREADS=2 "$work/marked" > "$work/out"
cmp "$work/expected" "$work/out" || fail "answers: another result"
