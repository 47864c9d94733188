#!/bin/bash
# --quiet: what is good is not said; what is wrong is, as before.
. "$(dirname "$0")/lib.sh"

cat >step.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static double x[2000], y[2000];
int main(int argc, char **argv) {
    double rate = argc > 1 ? atof(argv[1]) : 1, sum = 0;
#pragma orrery parallel
    for (int i = 0; i < 2000; ++i) {
        x[i] = rate * i;
        sum += x[i];
    }
#ifdef CHAIN
#pragma orrery parallel
    for (int i = 1; i < 2000; ++i)
        y[i] = y[i - 1] * y[i - 1] + x[i];
#endif
    printf("sum %g %s\n", sum + y[7], getenv("ORRERY_PROGRESS") ? getenv("ORRERY_PROGRESS") : "-");
    return rate > 5;
}
END

expect 0 "$orrery" analyze --all --quiet step.c
silent out err
expect 0 "$orrery" analyze --quiet -DCHAIN step.c
says out 'warning: .*ORR2104'
lacks -E 'remark|considered|dims' out || fail "analyze --quiet says what is good"
expect 1 "$orrery" analyze --quiet -Werror=serial -DCHAIN step.c step.c
[ "$(grep -c 'error: ' out)" = 2 ] || fail "not every error is said"
lacks 'loops' out || fail "a table"

expect 0 "$cc" -O1 step.c -o step -DCHAIN -w
ORRERY_PROGRESS=1 expect 0 "$orrery" run --quiet ./step
says out 'sum .* 0$'
expect 0 "$orrery" run ./step
says out 'sum .* -$'
expect 0 "$orrery" verify --quiet --threads 1,2 --ranks 0 --runs 1 ./step
silent out err
expect 1 "$orrery" verify --quiet --threads 1,2 --ranks 0 --runs 1 ./step 9
says err 'status 1'
expect 0 "$orrery" tune --quiet --set rate=1,2 --score sum ./step '{rate}'
silent err
says out '^best: '
expect 0 "$orrery" tune --set rate=1,2 --score sum ./step '{rate}'
says err 'orrery tune: orrery run'
