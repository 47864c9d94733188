/* emit: 5 */
/* Levels of loops whose variable is not the number of the iteration: what is listed is what is touched. */
#include <stdio.h>

enum { N = 3000, M = 4 };

static int key[2 * N], other[2 * N];
static float a[N * M], b[N];

static long downward(int n) {
    long c = 7;
#pragma orrery parallel
    for (int i = n - 1; i > 1; i -= 2) {
        c += 3;
        a[key[i]] = a[key[i + 3]] * .5f + a[i * 31 % 1000] * .25f + (float)(c % 5);
    }
    return c;
}

static long upward(int n) {
    int c = 1;
#pragma orrery parallel
    for (int i = 5; i < n; i += 2) {
        a[key[c]] = a[other[i]] * .5f + b[i];
        c += 2;
    }
    return c;
}

static void by_stride(int n, int step) {
#pragma orrery parallel
    for (int i = 3; i < n; i += step)
        a[key[i]] = a[other[i + step]] * .5f + b[i];
}

static void by_pointer(int n) {
#pragma orrery parallel
    for (const int *k = key + 11; k < key + n; ++k)
        a[*k] = a[k[1]] * .5f + b[k[2]] + 1;
}

static void rows(int n) {
#pragma orrery parallel
    for (int i = 1; i < n; ++i) {
        const float *from = a + key[i] / 8 * M;
        for (float *p = a + other[i] / 8 * M, *end = p + M; p < end; p++)
            *p = *p * .5f + *from++ * .25f + 1;
    }
}

static void show(const char *name, long after) {
    double sum = 0;
    for (int i = 0; i < N * M; i++)
        sum = sum * .999 + a[i];
    printf("%s %.17g after %ld\n", name, sum, after);
}

int main(void) {
    for (int i = 0; i < 2 * N; i++) {
        key[i] = i * 7919 % N;
        other[i] = i * 104729 % N;
    }
    for (int i = 0; i < N * M; i++)
        a[i] = (float)(i % 13);
    for (int i = 0; i < N; i++)
        b[i] = (float)(i % 7);
    show("downward", downward(N));
    show("upward", upward(N));
    by_stride(N, 3);
    show("by_stride", 0);
    by_pointer(N);
    show("by_pointer", 0);
    rows(N);
    show("rows", 0);
    return 0;
}
