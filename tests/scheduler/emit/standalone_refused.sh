#!/bin/bash
# standalone_refused.sh BINDIR: what cannot stand alone is an error with a way out, and nothing is
# written; a check that fails when the program runs is said, and the loop runs as it was written.
. "$(dirname "$0")/../../lib.sh"

bin=$1
cd "$work"

# refuses PATTERN...: the program in case.c
refuses() {
    local form
    for form in openmp pthreads; do
        rm -f out.c
        expect 1 "$bin/orrery" emit "--$form" case.c -o out.c
        says err "$@"
        [ ! -e out.c ] || fail "$form: something was written"
    done
}

cat >case.c <<'END'
void f(const int *restrict k, double **restrict g, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i)
        g[k[i]][i % 4] += 1;
}
END
refuses 'case.c:3:5: error: the loop cannot stand alone: .*`g`.*ORR2320' 'fix: .*orrery-cc'

cat >case.c <<'END'
void f(const int *restrict k, double ***w, double *restrict v, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i)
        v[k[i]] += w[i][0][0] * v[k[i]];
}
END
refuses 'behind a table of pointers.*ORR2320' 'fix: .*orrery-cc'

# With -fopenmp, which such a file needs, it would be another loop than the one that was looked at.
cat >case.c <<'END'
void f(double *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
#ifdef _OPENMP
        x[0] += i;
#endif
        x[i] += 1;
    }
}
END
rm -f out.c
expect 1 "$bin/orrery" emit --openmp case.c -o out.c
says err 'case.c:3:5: error: .*`_OPENMP` in a conditional inside `f` .*ORR2314'
expect 0 "$bin/orrery" emit --pthreads case.c -o out.c

# Nests that became loops over records do; a file that only speaks of them does not.
cp "$tree/tests/programs/records/push.c" case.c
refuses 'case.c:30:9: error: .*a nest of rows became one loop over records.*ORR2320' 'fix: .*orrery-cc'
cat >case.c <<'END'
/* orrery_records_begin( and orrery_blocks_begin( */
void f(double *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        x[i] += 1;
}
END
expect 0 "$bin/orrery" emit --openmp case.c -o out.c
lacks 'static int orrery_blocks_begin' out.c || fail "a part that nothing calls"

# A marked loop that stays serial is no file with a serial loop.
cat >case.c <<'END'
void f(double *x, long n) {
#pragma orrery parallel
    for (long i = 1; i < n; ++i)
        x[i] = x[i - 1] * x[i];
}
END
refuses 'error: .*ORR2104'

expect 2 "$bin/orrery" emit --openmp --pthreads case.c
says err 'either --openmp or --pthreads'

cat >case.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static void add(double *x, const double *y, const int *at, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        x[i] += y[at[i]];
}
int main(void) {
    double *x = malloc(1000 * sizeof *x), *y = malloc(1000 * sizeof *y);
    int *at = malloc(1000 * sizeof *at);
    for (int i = 0; i < 1000; ++i)
        x[i] = y[i] = at[i] = i ? i - 1 : 0;
    add(x, y, at, 1000);
    printf("%g\n", x[999]);
    add(x, x, at, 1000);
    printf("%g\n", x[999]);
}
END
gcc -w case.c -o plain
"$bin/orrery" emit --pthreads case.c -o out.c
gcc -Wall -Wextra -Werror -Wno-unknown-pragmas -pthread out.c -o alone
ORRERY_THREADS=2 ./alone >out 2>err
./plain | cmp - out
[ "$(grep -c 'case.c:5: the loop runs serially on these data: not known to hold: .*do not overlap' err)" = 1 ] ||
    fail "the check that failed is not said once"

# A child of fork has no threads but its own, and the same bits.
cat >case.c <<'EOF'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static double x[20000];
static void add(void) {
#pragma orrery parallel
    for (int i = 0; i < 20000; ++i)
        x[i] += i * .5;
}
int main(void) {
    int status = 1;
    add();
    if (fork() == 0) {
        add();
        add();
        _exit(x[199] == 298.5 ? 0 : 2);
    }
    wait(&status);
    add();
    printf("%d %g\n", status, x[199]);
}
EOF
for form in openmp pthreads; do
    "$bin/orrery" emit "--$form" case.c -o out.c
    gcc -std=c11 -Wall -Wextra -Werror -Wno-unknown-pragmas -fopenmp -pthread out.c -o alone
    ORRERY_THREADS=2 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive timeout 60 ./alone >out || fail "$form: status $?"
    says out '^0 199$'
done
