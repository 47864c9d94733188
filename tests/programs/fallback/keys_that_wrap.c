/*
 * Unsigned subscripts wrap, in the type that C computes them in.
 * says: is false for iteration 0$
 * says: is false for iteration 49$
 * says: iteration 117: wide.i. = 2305843009213694010 is out of range: a
 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 20000 };
static unsigned k[N];
static unsigned long wide[N];

__attribute__((noinline)) static void of_int(double *a, unsigned off, int n) {
    for (int i = 0; i < n; i++)
        a[k[i] * 8 + off + 6] = a[k[i] * 8 + off + 6] * .5 + i;
}

__attribute__((noinline)) static void of_long(double *a, unsigned long off, int n) {
    for (int i = 0; i < n; i++)
        a[wide[i] * 8 + off + 6] = a[wide[i] * 8 + off + 6] * .5 + i;
}

__attribute__((noinline)) static void of_bytes(char *a, unsigned long off, int n) {
    for (int i = 0; i < n; i++)
        *(double *)(a + wide[i] * 8 + off) = *(double *)(a + wide[i] * 8 + off) * .5 + i;
}

__attribute__((noinline)) static void of_difference(double *a, unsigned off, int n) {
    for (int i = 0; i < n; i++)
        a[k[i] - off] = a[k[i] - off] * .5 + i;
}

__attribute__((noinline)) static void of_product(double *a, unsigned by, int n) {
    for (int i = 0; i < n; i++)
        a[k[i] * by] = a[k[i] * by] * .5 + i;
}

int main(void) {
    double *a = calloc(65536, 8);
    for (int n = 0; n < N; n++) {
        k[n] = n * 7 % 50;
        wide[n] = n * 11 % 60;
    }
    of_int(a, 4294967290u, N);
    of_int(a, 2, N);
    of_long(a, 0ul - 6, N);
    of_long(a, 16, N);
    for (int n = 0; n < N; n++)
        wide[n] = (n % 59ul) | ((n % 2ul) << 61);
    of_bytes((char *)(a + 300), 16, N);
    for (int n = 0; n < N; n++)
        k[n] = 4294967290u + n % 50;
    of_difference(a, 4294967290u, N);
    for (int n = 0; n < N; n++)
        k[n] = (n % 50) * 2863311531u;
    of_product(a, 3, N);
    double s = 0;
    for (int i = 0; i < 4096; i++)
        s = s * .99 + a[i];
    printf("%.17g\n", s);
    return 0;
}
