#!/bin/bash
# What a verdict claims excuses just that: sums, choices, private arrays, keys, relaxed arrays, sections of
# arrays and pointers that a guard holds apart.
. "$(dirname "$0")/accesses.sh"
cat >obj.c <<'EOF'
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#define K 4
static struct { int u, v; float x; } r[200];
static float W[40 * K], H[40 * K], G[40];
static double big[100];
static void add(double *p, const double *q, int n) {
    for (int i = 0; i < n; i++)
        p[i] += q[i];
}
int main(void) {
    double best = -DBL_MAX, tmp[K], worst;
    int at = -1, seen = 0;
    for (int i = 0; i < 200; i++)
        r[i].u = i * 7 % 40, r[i].v = i * 11 % 40, r[i].x = i;
#pragma orrery parallel unordered
    for (int n = 0; n < 200; n++) {
        float *w = W + r[n].u * K, *h = H + r[n].v * K, e = r[n].x;
        for (int k = 0; k < K; k++) e -= w[k] * h[k];
        for (int k = 0; k < K; k++) w[k] += e * h[k], h[k] += e * w[k];
    }
#pragma orrery parallel unordered relax(G)
    for (int n = 0; n < 200; n++)
        G[r[n].u] = G[r[n].v] * 0.5f + r[n].x;
    for (int i = 0; i < 100; i++)
        big[i] = (i * 37) % 100;
    for (int i = 0; i < 100; i++)
        if (big[i] > best) best = big[i], at = i;
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < K; k++) tmp[k] = big[i] + k;
        worst = tmp[1];
        big[i] = worst * tmp[2];
    }
    for (int i = 0; i < 100; i++)
        seen |= big[i] > 5;
    add(big, big + 50, 50);
    add(big, big + 10, 50);
    printf("%g %d %d %g\n", best, at, seen, worst);
    return 0;
}
EOF
for compiler in $(compilers); do
    export ORRERY_CC=$compiler
    watch obj.c
    [ "$status" = 0 ] || fail "$compiler: contradicted"
    is 9 guarded 18 confirmed 24 confirmed 28 confirmed 30 confirmed 35 confirmed
    [ "$(field 18 'sorted(set(m["object"] for m in loop["conflicts"]))')" = "['H', 'W']" ] ||
        fail "$compiler: $(field 18 'loop["conflicts"]')"
done

# What the run looks at first, on behalf of no object, speaks of all of them, though iterations cannot tell it: the loop
# has a second counter. Whatever the branch that is not taken does is no access of the plan.
cat >early.c <<'EOF'
#include <math.h>
#include <stdio.h>
int coefficients(int order, double q, double a, double *c);
static int all(int least, int most, double q, double *a, double *result) {
    double c[8], norm;
    int i, order, k, status;
    for (i = 0, order = least; order <= most; i++, order++) {
        norm = 0.0;
        if (q == 0.0) {
            result[i] = cos(order) / 2;
            continue;
        }
        status = coefficients(order, q, a[order], c);
        if (status != 0)
            return status;
        for (k = 0; k < 8; k++) {
            result[i] += c[k] * cos(k);
            norm += c[k] * c[k];
        }
        result[i] /= sqrt(norm);
    }
    return 0;
}
int main(int argc, char **argv) {
    double a[20] = {0}, result[20] = {0};
    int status = all(0, 19, argc > 1 ? 0.0 : 0.5, a, result);
    (void)argv;
    printf("%d %g\n", status, result[19]);
    return 0;
}
EOF
cat >coefficients.c <<'EOF'
int coefficients(int order, double q, double a, double *c) {
    for (int k = 0; k < 8; k++)
        c[k] = q * k + order + a;
    return 0;
}
EOF
for compiler in $(compilers); do
    export ORRERY_CC=$compiler
    "$cc" -accesses -c early.c
    "$cc" -accesses -c coefficients.c
    watch early.o coefficients.o
    [ "$status" = 0 ] || fail "$compiler: contradicted"
    is 7 guarded
    [ "$(field 7 'loop["verdict"]')" = parallel ] || fail "$compiler: not parallel"
    expect 0 "$orrery" verify --accesses --format=json ./prog none
    is 7 confirmed
done
