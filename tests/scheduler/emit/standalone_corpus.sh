#!/bin/bash
# standalone_corpus.sh BINDIR PROGRAMS: programs of the emitter's own tests as files that stand alone,
# each in turn with one form and one compiler, against the program as plain C. With a sanitizer ($SANITIZE): emitted.
. "$(dirname "$0")/../../lib.sh"

bin=$1 programs=$2
forms=(pthreads openmp) turn=0
for name in reductions chosen_behind columns structs pipeline weighed variable_widths jumps_ahead; do
    program=$programs/$name.c form=${forms[turn++ % 2]}
    flag=-fopenmp
    [ "$form" = openmp ] || flag=-pthread
    "$bin/orrery" emit "--$form" "$program" -o "$work/alone.c" >"$work/said" 2>&1 || fail "$name: emit failed"
    [ -z "${SANITIZE:-}" ] || continue
    gcc -std=gnu11 -O1 -ffp-contract=off -w "$program" -o "$work/plain" -lm
    "$work/plain" >"$work/expected"
    gcc -std=gnu11 -O1 -ffp-contract=off -Wall -Wextra -Werror -Wno-unknown-pragmas $flag \
        -I "$programs" "$work/alone.c" -o "$work/alone" -lm || fail "$name, $form: it is not accepted"
    for threads in 1 3; do
        ORRERY_THREADS=$threads OMP_NUM_THREADS=$threads OMP_WAIT_POLICY=passive "$work/alone" >"$work/out" 2>"$work/err" ||
            fail "$name, $form: status $? on $threads threads"
        cmp "$work/out" "$work/expected" || fail "$name, $form: other results on $threads threads"
        lacks serially "$work/err" || fail "$name, $form: a loop runs serially"
    done
done
