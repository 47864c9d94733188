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
