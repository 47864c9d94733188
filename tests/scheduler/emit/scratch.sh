#!/bin/bash
# scratch.sh BINDIR: scratch space in local arrays, which the region of a loop that nobody marked needs not,
# keeps its address in the function: the host compiler would take every pointer there for one into it, and
# the loop that runs serially for another one.
. "$(dirname "$0")/../../lib.sh"

bin=$1
cd "$work"

# The form of NPB's MG.
cat >residual.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#define N 40
static void residual(double ***u, double ***r, int n) {
    double near[N], far[N];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            for (int k = 0; k < n; k++) {
                near[k] = u[i][j - 1][k] + u[i][j + 1][k];
                far[k] = u[i - 1][j][k] + u[i + 1][j][k];
            }
            for (int k = 1; k < n - 1; k++)
                r[i][j][k] = u[i][j][k] - .5 * (near[k - 1] + near[k + 1]) - .25 * far[k];
        }
}
static double last(double *to, int n) {
    double used[N], large[4 * N * N * N];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < N; k++)
            used[k] = i * .5 + k;
        for (int k = 0; k < n; k++)
            large[k] = i + k * .25;
        to[i] = used[i] + large[n - 1 - i] + large[i];
    }
    return used[1];
}
static void into(double *to, int n, int inside) {
    double taken[N], *p = inside ? taken + 1 : to;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < N; k++)
            taken[k] = i * .25 + k;
        p[i] = taken[i] * 2 + taken[i + 1];
        to[i] += p[i] + taken[2];
    }
}
static double ***made(void) {
    double ***rows = malloc(N * sizeof *rows);
    for (int i = 0; i < N; i++) {
        rows[i] = malloc(N * sizeof *rows[i]);
        for (int j = 0; j < N; j++) {
            rows[i][j] = malloc(N * sizeof *rows[i][j]);
            for (int k = 0; k < N; k++)
                rows[i][j][k] = i * .25 + j * k % 7;
        }
    }
    return rows;
}
int main(void) {
    double ***u = made(), ***r = made(), to[N], sum = 0;
    for (int t = 0; t < 3; t++) {
        residual(u, r, N - t);
        residual(r, u, N - t);
    }
    sum = last(to, N - 1);
    for (int t = 0; t < 4; t++)
        into(to, N - 2, t & 1);
    for (int i = 0; i < N - 1; i++)
        printf("%.17g %.17g\n", to[i], sum + u[i][i][i + 1]);
    return 0;
}
END

"$bin/orrery" emit -auto residual.c -- -O3 >emitted.c || fail "not emitted"
grep -q 'orrery_target_[0-9] = (void \*)(\(near\|far\))' emitted.c && fail "a local array's address leaves the function"
[ "$(grep -o '__typeof__(\(near\|far\)) orrery_scratch_[01];' emitted.c | wc -l)" = 2 ] || fail "no array in its place"
grep -q '__typeof__(large)' emitted.c && fail "an array of two megabytes twice on the stack"
grep -q '__typeof__(used)' emitted.c && fail "an array that is used behind the loop has another one in its place"
grep -q '__typeof__(taken)' emitted.c && fail "an array that a pointer may lead into has another one in its place"

for level in -O0 -O3; do
    cc $level -ffp-contract=off residual.c -o serial && ./serial >want
    "$bin/orrery-cc" -auto $level -Wall -Wextra -Werror -Rorrery -ffp-contract=off residual.c -o auto 2>said || { cat said; fail "not built"; }
    for line in 6 18; do
        grep -q "^residual.c:$line:5: remark: parallel" said || { cat said; fail "the loop in line $line is serial"; }
    done
    for threads in 1 2 3; do
        ORRERY_AUTO_US=0 ORRERY_THREADS=$threads ORRERY_STATS=1 ./auto >got 2>figures || fail "status"
        cmp -s want got || { diff want got; fail "$threads threads: other results with $level"; }
    done
    grep -q 'residual.c:6 .*passes 6' figures || { cat figures; fail "the loop did not run in parallel"; }
done
