#!/bin/bash
# copies.sh BINDIR: the region of a loop that nobody marked has copies of small local arrays. With the
# arrays' own addresses the host compiler would take every pointer in the function for one into them.
. "$(dirname "$0")/../../lib.sh"

bin=$1
cd "$work"

cat >channels.c <<'END'
#include <stdio.h>
#include <stdlib.h>
enum { N = 900 };
static double large(double *to, int n) {
    double wide[4000];
    for (int i = 0; i < 4000; i++)
        wide[i] = i * .5;
    for (int i = 0; i < n; i++)
        to[i] += wide[i];
    return wide[n];
}
static void taken(double *to, int n, int inside) {
    double near[N], *p = inside ? near + 1 : to;
    for (int i = 0; i < N; i++)
        near[i] = i * .25;
    for (int i = 0; i < n; i++)
        p[i] = to[i] + near[i] * 2;
    for (int i = 0; i < n; i++)
        to[i] += near[i];
}
static void mixed(const double *a, double *b, int n, int first) {
    double half[64];
    for (int i = 0; i < 64; i++)
        half[i] = i;
    for (int i = first; i < n; i++)
        half[i] = half[i] * .5 + a[i];
    for (int i = 0; i < 64; i++)
        b[i] = half[i];
}
int main(void) {
    float *in[3], *out[3];
    double to[N], sum = 0;
    for (int c = 0; c < 3; c++) {
        in[c] = malloc(N * sizeof(float));
        out[c] = malloc(N * sizeof(float));
        for (int i = 0; i < N; i++)
            in[c][i] = (float)(i * (c + 3) % 255);
    }
    float mix[3][3] = {{.3f, .5f, .2f}, {-.1f, .6f, .5f}, {.7f, -.2f, .4f}};
    for (int pass = 0; pass < 3; pass++) {
        for (int c = 0; c < 3; c++)
            for (int i = 0; i < N; i++)
                out[c][i] = mix[c][0] * in[0][i] + mix[c][1] * in[1][i] + mix[c][2] * in[2][i];
        mix[pass][1] += .25f;
        for (int c = 0; c < 3; c++)
            for (int i = 0; i < N; i++)
                in[c][i] = out[c][i] * .99f + 1;
    }
    for (int i = 0; i < N; i++)
        to[i] = in[i % 3][i];
    sum += large(to, N - 1);
    taken(to, N - 2, 0);
    taken(to, N - 2, 1);
    mixed(to, to + 64, 50, 7);
    mixed(to, to + 8, 50, 7);
    for (int i = 0; i < N; i++)
        printf("%.9g %.9g %.9g\n", in[1][i], in[2][i], to[i] + sum);
    return 0;
}
END

"$bin/orrery" emit -auto channels.c -- -O3 >emitted.c || fail "not emitted"
for name in in out mix half; do
    grep -q "\.$name = orrery_copy_${name}[,}]" emitted.c || fail "$name: the region has no copy of it"
    grep -q "\.$name = ${name}[,}]" emitted.c && fail "$name: its address leaves the function"
done
grep -q 'orrery_readable([^;]*\(in\|out\))' emitted.c && fail "the size of a declared table is asked for"
[ "$(grep -o '__builtin_memcpy(half, orrery_copy_half, sizeof half);' emitted.c | wc -l)" -gt 0 ] || fail "half does not come back"
grep -q '__builtin_memcpy(mix, ' emitted.c && fail "mix comes back, which nobody writes"
grep -q 'orrery_copy_wide' emitted.c && fail "an array of 32,000 bytes twice on the stack"
grep -q 'orrery_copy_near' emitted.c && fail "a copy of an array that a pointer may lead into"

for level in -O0 -O3; do
    cc $level -ffp-contract=off channels.c -o serial && ./serial >want
    "$bin/orrery-cc" -auto $level -Wall -Wextra -Werror -ffp-contract=off channels.c -o auto 2>said || { cat said; fail "not built"; }
    for threads in 1 2 3; do
        ORRERY_AUTO_US=0 ORRERY_THREADS=$threads ORRERY_STATS=1 ./auto >got 2>figures || fail "status"
        cmp -s want got || { diff want got | head; fail "$threads threads: other results with $level"; }
    done
    for line in 25 41; do
        grep -q "channels.c:$line .*passes" figures || { cat figures; fail "the loop in line $line did not run in parallel"; }
    done
done
