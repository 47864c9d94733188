#!/bin/bash
# standalone.sh BINDIR openmp|pthreads PROGRAM.c: the text of `orrery emit --openmp` or `--pthreads`,
# built by gcc and clang with warnings as errors and nothing of ours, prints what orrery-cc's program
# does, bit by bit, on any number of threads. With POSIX threads ThreadSanitizer looks on (it does not
# know how OpenMP's barriers order memory; the text is the same but for how threads are made). A build with a sanitizer
# ($SANITIZE) has nothing in that program: the text is emitted.
. "$(dirname "$0")/../../lib.sh"

bin=$1 form=$2 program=$3
flag=-fopenmp
[ "$form" = openmp ] || flag=-pthread
warnings="-Wall -Wextra -Werror -Wno-unknown-pragmas"

"$bin/orrery" emit "--$form" "$program" -o "$work/alone.c" >"$work/said" 2>&1 || fail "emit failed"
lacks 'orrery_run\.h' "$work/alone.c" || fail "it includes a header of ours"
[ -z "${SANITIZE:-}" ] || exit 0

"$bin/orrery-cc" -O1 -Werror=serial "$program" -o "$work/library" -lm || fail "orrery-cc does not build it"
ORRERY_THREADS=2 "$work/library" >"$work/expected" || fail "orrery-cc's program fails"

# prints what is expected: OPTIONS... COMPILER
prints() {
    local threads
    # shellcheck disable=SC2086
    "$1" $warnings $flag "${@:2}" "$work/alone.c" -o "$work/alone" -lm 2>"$work/err" || fail "$* does not build it"
    for threads in 1 2 3 5; do
        ORRERY_THREADS=$threads OMP_NUM_THREADS=$threads OMP_WAIT_POLICY=passive "$work/alone" \
            >"$work/out" 2>"$work/err" || fail "$*: status $? on $threads threads"
        [ ! -s "$work/err" ] || fail "$*: it says something on $threads threads"
        cmp "$work/out" "$work/expected" || fail "$*: other bits on $threads threads"
    done
}

prints gcc -std=c11 -O2
if echo '#include <omp.h>' | clang -fopenmp -fsyntax-only -xc - 2>/dev/null; then
    prints clang -std=gnu11 -O1
fi
[ "$form" = openmp ] || prints gcc -O1 -g1 -fsanitize=thread
