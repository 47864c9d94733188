#!/bin/bash
# deep.sh BINDIR: what a loop was checked for is checked once, though its scratch array lies elsewhere
# each time, where functions of other depths call it; other arrays are looked at anew.
. "$(dirname "$0")/../lib.sh"
bin=$1
cat >"$work/deep.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
enum { N = 40, M = 64 };
static double ***table(void) {
    double ***t = malloc(N * sizeof *t);
    for (int i = 0; i < N; i++) {
        t[i] = malloc(N * sizeof **t);
        for (int j = 0; j < N; j++)
            t[i][j] = calloc(N, sizeof ***t);
    }
    return t;
}
static __attribute__((noinline)) void step(double ***u, double ***r) {
    double sum[M];
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) {
            for (int k = 0; k < N; k++)
                sum[k] = u[i][j - 1][k] + u[i - 1][j][k] + 1;
            for (int k = 1; k < N - 1; k++)
                r[i][j][k] = sum[k - 1] + sum[k + 1];
        }
}
static __attribute__((noinline)) void deeper(double ***u, double ***r, int bytes) {
    volatile char *room = __builtin_alloca((unsigned long)bytes);
    room[0] = 1;
    step(u, r);
}
int main(int argc, char **argv) {
    double ***u = table(), ***r = table(), ***other = argc > 1 ? table() : u;
    (void)argv;
    for (int pass = 0; pass < 20; pass++)
        deeper(pass % 2 ? other : u, r, 64 + 256 * pass);
    printf("%g\n", r[5][6][7]);
}
END
"$bin/orrery-cc" -auto -O1 "$work/deep.c" -o "$work/deep"

# checks COUNT [ARGUMENT]: 20 regions, of which so many were checked
checks() {
    ORRERY_AUTO_US=0 ORRERY_STATS=1 ORRERY_THREADS=2 "$work/deep" ${2:+"$2"} >"$work/out" 2>"$work/err" || fail "does not run"
    grep -q "deep\.c:15 inspections .* checks $1 .* regions 20\$" "$work/err" || { cat "$work/err"; fail "not $1 checks of 20"; }
}
checks 1
checks 2 other
