#!/bin/bash
# standalone_freed.sh BINDIR PROGRAM.c: in a file that stands alone, memory that was given back has no length any more,
# and other blocks keep theirs: loops run in parallel up to there, and then serially, with a word.
. "$(dirname "$0")/../../lib.sh"

bin=$1 program=$2
gcc -O1 -w "$program" -o "$work/plain" && "$work/plain" >"$work/expected" 2>"$work/err" || fail "the plain program"
for form in openmp pthreads; do
    flag=-fopenmp
    [ "$form" = openmp ] || flag=-pthread
    "$bin/orrery" emit "--$form" "$program" -o "$work/alone.c" >"$work/said" 2>&1 || fail "emit failed"
    gcc -O1 -g -Wno-unknown-pragmas $flag "$work/alone.c" -o "$work/alone" || fail "it is not accepted"
    for threads in 1 3; do
        ORRERY_THREADS=$threads OMP_NUM_THREADS=$threads OMP_WAIT_POLICY=passive "$work/alone" >"$work/out" 2>"$work/err" ||
            fail "$form: status $? on $threads threads"
        cmp "$work/out" "$work/expected" || fail "$form: other results on $threads threads"
        sed '/^given back/,$d' "$work/err" >"$work/before"
        sed '0,/^given back/d' "$work/err" >"$work/behind"
        [ ! -s "$work/before" ] || fail "$form: a loop does not run in parallel"
        says "$work/behind" 'runs serially on these data: not known to hold: the size of sums'
    done
done
