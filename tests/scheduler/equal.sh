#!/bin/bash
# Loops with a text for equal pointers: which have one, the bits of all, and that a run takes it.
# usage: equal.sh BIN
. "$(dirname "$0")/transform/lib.sh"

dumped equal.c
commented twice '/\(const void \*\)/ { kind = "twice" }'
"$bin/orrery" emit -auto -Rorrery -O3 equal.c -o emitted.c 2>remarks
grep -q 'a text of its own where `v` is `r` \[ORR1713\]' remarks || fail "nothing is said: $(cat remarks)"
[ "$(grep -c ORR1713 remarks)" = "$(grep -c '^/\* twice' equal.c)" ] || fail "not a remark for each"

built equal.c -Wno-shadow
./serial >serial.out
for threads in 1 2 3; do
    same "$threads threads" env ORRERY_THREADS=$threads ORRERY_AUTO_US=0 ./auto
done

# One array under two names: both texts run in parallel, and nothing runs serially.
cat >once.c <<'END'
#include <stdio.h>
static void halve(int n, double *r, const double *v) {
    for (int i = 0; i < n; i++)
        r[i] = v[i] * .5;
}
int main(void) {
    static double x[100000], y[100000];
    halve(100000, x, x);
    halve(100000, y, x);
    printf("%g\n", x[7] + y[8]);
}
END
"$bin/orrery-cc" -auto -O3 once.c -o once
ORRERY_STATS=1 ORRERY_THREADS=2 ORRERY_AUTO_US=0 ./once 2>stats >/dev/null
! grep -q 'runs serially' stats && [ "$(grep -c '^orrery: once.c:3 .* regions 1$' stats)" = 2 ] ||
    fail "equal pointers run serially: $(cat stats)"

# Marked: equal pointers are no mistake of the program. The loop runs as it is written and says so once; what
# overlaps otherwise still ends the run.
cat >marked.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static void halve(int n, double *r, const double *v) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        r[i] = v[i] * .5 + i;
}
int main(int argc, char **argv) {
    static double x[100001], y[100001];
    for (int pass = 0; pass < 3; pass++) {
        halve(100000, x, x);
        halve(100000, y, x);
    }
    printf("%a\n", x[7] + y[99999]);
    fflush(stdout);
    halve(100000, x + atoi(argv[1]), x);
    printf("%a\n", x[99999]);
}
END
"$bin/orrery-cc" -O2 marked.c -o marked 2>/dev/null && gcc -O2 -ffp-contract=off -w marked.c -o unmarked
"$bin/orrery" emit --pthreads marked.c -o alone.c 2>/dev/null && gcc -O2 -pthread -w alone.c -o alone
for program in marked alone; do
    ORRERY_THREADS=3 ./$program 0 >out 2>said || fail "$program: equal pointers end the run: $(cat said)"
    cmp -s out <(./unmarked 0) || fail "$program: equal pointers have other results"
    [ "$(grep -c 'v is r' said)" = 1 ] || fail "$program: it is not said once: $(cat said)"
done
ORRERY_THREADS=3 ./marked 1 >out 2>said && fail "arrays that overlap by all but one element pass"
[ "$(wc -l <out)" = 1 ] || fail "the run ends elsewhere"
