/*
 * Minima that take a NaN: the loop begins again from where it began, in several passes, too.
 * says: a NaN came into m,
 * says: a NaN came into low,
 * says: a NaN came into below,
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 5000 };
static double x[N], y[N], z[N], below[8];
static int k[N];

__attribute__((noinline)) static double with_array(int n, double m) {
    for (int i = 0; i < n; i++) {
        m = m < x[i] ? m : x[i];
        y[i] = x[i] * 2;
    }
    return m;
}

__attribute__((noinline)) static double alone(int n, double m) {
    for (int i = 0; i < n; i++)
        m = m > x[i] ? m : x[i];
    return m;
}

/* Not parallel: z would have been changed. */
__attribute__((noinline)) static double changed(int n, double m) {
    for (int i = 0; i < n; i++) {
        z[i] = z[i] * .5 + x[i];
        m = m < z[i] ? m : z[i];
    }
    return m;
}

static long seen;
static long sum;

__attribute__((noinline)) static double with_others(int n) {
    double low = 1e9;
    long count = seen, total = sum;
    int last = -1;
    for (int i = 0; i < n; i++) {
        low = low < x[i] ? low : x[i];
        count += x[i] > 7;
        total += i;
        last = k[i];
    }
    seen = count;
    sum = total + last;
    return low;
}

__attribute__((noinline)) static void elements(int n) {
    for (int i = 0; i < n; i++)
        below[k[i]] = below[k[i]] < x[i] ? below[k[i]] : x[i];
}

__attribute__((noinline)) static double passes(int n, int times) {
    double m = 0;
    for (int p = 0; p < times; p++) {
        m = 1e9;
        for (int i = 0; i < n; i++) {
            m = m < x[i] ? m : x[i];
            y[i] = x[i] + p;
        }
    }
    return m;
}

static void all(void) {
    double low = with_others(N);
    printf("%g %g %g %g\n", with_array(N, 1e9), alone(N, -1e9), isnan(alone(N, (double)NAN)),
           changed(N, 1e9));
    printf("%g %ld %ld %g\n", low, seen, sum, passes(N, 3));
    elements(N);
    for (int j = 0; j < 8; j++)
        printf("%g ", isnan(below[j]) ? 77 : below[j]);
    double s = 0;
    for (int i = 0; i < N; i++)
        s = s * .9 + (isnan(y[i]) ? 1 : y[i]) + (isnan(z[i]) ? 1 : z[i]);
    printf("%.17g\n", s);
}

int main(void) {
    for (int i = 0; i < N; i++) {
        x[i] = i * 7919 % N;
        k[i] = i * 3 % 8;
    }
    for (int j = 0; j < 8; j++)
        below[j] = 1e6;
    all();
    x[3000] = NAN;
    all();
    x[0] = x[1] = NAN;
    all();
    x[1] = 4;
    all();
    return 0;
}
