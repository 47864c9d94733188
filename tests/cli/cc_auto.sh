#!/bin/bash
# -auto: every outermost loop that is provably parallel in its own order, nothing inside of one, and
# the same answer.
. "$(dirname "$0")/lib.sh"

cat >a.c <<'EOF'
#include <stdio.h>

static double square(const double *a, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * 2;
    return sum;
}

int main(void) {
    static double a[200][50], s[200], chain[200];
    for (int i = 0; i < 200; i++)
        for (int j = 0; j < 50; j++)
            a[i][j] = i + 0.5 * j;
    for (int i = 0; i < 200; i++)
        s[i] = square(a[i], 50);
    for (int i = 1; i < 200; i++)
        chain[i] = chain[i - 1] * 0.5 + s[i];
    for (int i = 0; i < 200; i += 20)
        printf("%g %g\n", s[i], chain[i]);
    return 0;
}
EOF
cc -O2 -ffp-contract=off a.c -o serial
./serial >want
expect 0 "$cc" -O2 -Wall -Wextra -Werror -auto -Rorrery a.c -o parallel
says err '^a\.c:12:5: remark: parallel' '^a\.c:15:5: remark: parallel'
[ "$(grep -c 'remark:' err)" = 2 ] || fail "two loops are outermost and parallel"
for threads in 1 2 3; do
    ORRERY_THREADS=$threads ./parallel >got
    cmp -s want got || fail "$threads threads print something else"
done
expect 0 "$orrery" verify --threads 1,2,3 --ranks 2 --runs 1 ./parallel
expect 0 "$cc" -O2 a.c -o plain
nm plain | grep -q orrery && fail "without -auto nothing is ours"
exit 0
