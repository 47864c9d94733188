/*
 * What several ranks cannot divide or hand over: one of them runs it.
 * ranks: serially: .*memory that only rank 0 has
 * ranks: serially: .*is an address
 * ranks: serially: .*compares addresses
 * ranks: serially: .*in front
 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 4000 };
static double x[N], z[N];
static int k[N];

struct box {
    double h[64];
    int n;
};

/* A member of a structure on the stack, whose place is no variable of its own. */
__attribute__((noinline)) static double on_stack(int n) {
    struct box box = {{0}, n};
    double s = 0;
    for (int i = 0; i < n; i++)
        box.h[k[i]] = box.h[k[i]] * .5 + x[i];
    for (int i = 0; i < 64; i++)
        s = s * .9 + box.h[i];
    return s;
}

__attribute__((noinline)) static double in_passes(int n, int passes) {
    struct box box = {{0}, n};
    double s = 0;
    for (int p = 0; p < passes; p++)
        for (int i = 0; i < n; i++)
            box.h[k[i]] = box.h[k[i]] * .5 + x[i] + p;
    for (int i = 0; i < 64; i++)
        s = s * .9 + box.h[i];
    return s;
}

/* The address of the least element is kept. */
__attribute__((noinline)) static long keeps(double *a, int n) {
    double *best = a, least = 1e9;
    for (int i = 0; i < n; i++) {
        a[i] = a[i] * 2;
        if (a[i] < least) {
            least = a[i];
            best = &a[i];
        }
    }
    return best - a;
}

__attribute__((noinline)) static long compares(double *a, const double *stop, int n) {
    long below = 0;
    for (int i = 0; i < n; i++) {
        a[i] += 1;
        if (&a[i] < stop)
            below++;
    }
    return below;
}

static long counts[200];
__attribute__((noinline)) static void in_front(long *c, int n) {
    for (int i = 0; i < n; i++)
        c[k[i] - 32] += i;
}

int main(void) {
    double *a = malloc(N * sizeof *a);
    for (int i = 0; i < N; i++) {
        a[i] = x[i] = i * 7919 % 5003;
        k[i] = i * 13 % 64;
    }
    printf("%.17g %.17g\n", on_stack(N), in_passes(N, 3));
    printf("%ld %ld\n", keeps(a, N), compares(a, a + 1234, N));
    in_front(counts + 100, N);
    double s = 0;
    for (int i = 0; i < N; i++)
        s = s * .99 + a[i] + counts[i % 200];
    printf("%.17g\n", s);
    free(a);
    return 0;
}
