#!/bin/bash
# Ranks of two programs end the job with ORR9234 before the first command: with build ids and without.
. "$(dirname "$0")/../lib.sh"
bin=$1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# program NAME DECLARATION EXPRESSION OPTION...: a loop over arrays that lie elsewhere in each program
program() {
    cat >"$work/$1.c" <<END
#include <stdio.h>
$2
static double a[1000], b[1000];
int main(void) {
#pragma orrery parallel
    for (int i = 0; i < 1000; ++i)
        a[i] = b[i] * 2 + $3;
    printf("%g\n", a[7]);
}
END
    "$bin/orrery-cc" -O1 -w "${@:4}" "$work/$1.c" -o "$work/$1"
}

# ends A B: up to three runs, since the launcher of a job that ends may lose what its ranks said last.
ends() {
    for _ in 1 2 3; do
        status=0
        timeout -k 2 300 mpirun --oversubscribe -n 1 "$work/$1" : -n 1 "$work/$2" >"$work/out" 2>"$work/err" ||
            status=$?
        [ "$status" -eq 71 ] || break
        ! grep -q 'rank 1 runs another program than rank 0.*\[ORR9234\]' "$work/err" || return 0
    done
    cat "$work/err" >&2
    fail "$1 and $2: status $status"
}

program small "" i
program large "static double extra[77];" "extra[i % 77]"
program unnamed "" i -Wl,--build-id=none
program other "" 3 -Wl,--build-id=none
ends small large
ends large small
ends unnamed other
for same in small unnamed; do
    mpirun --oversubscribe -n 2 "$work/$same" >"$work/out" || fail "$same twice: status $?"
    [ "$(cat "$work/out")" = 7 ] || fail "$same twice: $(cat "$work/out")"
done
