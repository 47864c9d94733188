/* emit: 14 */
#include <stdio.h>

/* Conditions that have to be solved for the loop's variable: how often they hold is right for every end. */
enum { N = 300 };
static long a[4 * N], mix;

static void see(long i) {
    mix = (mix * 31 + i) % 1000003;
}

static void next(long n) {
    long i;
#pragma orrery parallel
    for (i = 0; i + 1 < n; ++i)
        a[i] += i;
    see(i);
}

static void next_unsigned(unsigned long n) {
    unsigned long i;
#pragma orrery parallel
    for (i = 0; i + 1 < n; ++i)
        a[i] += 3 * (long)i;
    see((long)i);
}

static void three_unsigned(unsigned n) {
    unsigned i;
#pragma orrery parallel
    for (i = 0; i + 3 <= n; i += 2)
        a[i] += 5 * (long)i;
    see((long)i);
}

static void twice(int n) {
    int i;
#pragma orrery parallel
    for (i = -2; 2 * i < n; ++i)
        a[2 * i + 4] += i;
    see(i);
}

static void thrice(int n) {
    int i;
#pragma orrery parallel
    for (i = 40; 3 * i - 1 >= n; --i)
        a[i + 100] += i;
    see(i);
}

static void at_most(int n) {
    int i;
#pragma orrery parallel
    for (i = -3; 4 * i <= n; ++i)
        a[i + 3] += i;
    see(i);
}

static void blocks(int n, int k) {
    int i;
#pragma orrery parallel
    for (i = 0; i * k < n; ++i)
        for (int j = i * k; j < (i + 1) * k && j < n; ++j)
            a[j] += i + j;
    see(i);
}

static void left(int n) {
    int i;
#pragma orrery parallel
    for (i = 0; n - i > 0; ++i)
        a[i] += 7;
    see(i);
}

static void both(int n, int m) {
    int i;
#pragma orrery parallel
    for (i = 0; i <= n && i + 1 < m; ++i)
        a[i] += 11;
    see(i);
}

static void down(int n, int m) {
    int i;
#pragma orrery parallel
    for (i = n; i > 0 && i >= m; --i)
        a[i] += 13;
    see(i);
}

static void meet(int n) {
    int i, j;
#pragma orrery parallel
    for (i = 0, j = n - 1; i < j; ++i, --j) {
        long t = a[i];
        a[i] = a[j] + 1;
        a[j] = t;
    }
    see(i);
    see(j);
}

static void meet_far(int n) {
#pragma orrery parallel
    for (int j = 2 * n, i = 1; j - i >= 5; --j, i += 2)
        a[i] += a[j + 1];
}

static void itself(int n) {
#pragma orrery parallel
    for (int i = 0; i < n - i - 1; ++i) {
        long t = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
    }
}

static void pairs(int n) {
    int i = 0;
#pragma orrery parallel
    while (i + 2 <= n) {
        a[i] += a[i + 1];
        i += 2;
    }
    see(i);
}

int main(void) {
    for (int i = 0; i < 4 * N; ++i)
        a[i] = i * 37L % 1009;
    for (int n = 0; n < 40; ++n) {
        next(n - 3);
        next_unsigned((unsigned long)n);
        three_unsigned((unsigned)n);
        twice(n - 9);
        thrice(n - 5);
        at_most(n - 20);
        blocks(5 * n, n % 4 + 1);
        left(n - 2);
        both(n, 30 - n);
        down(n, 12);
        meet(n);
        meet_far(n);
        itself(n);
        pairs(n);
    }
    for (int i = 0; i < 4 * N; ++i)
        see(a[i]);
    printf("%ld\n", mix);
    return 0;
}
