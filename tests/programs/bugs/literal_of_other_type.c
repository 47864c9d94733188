/* emit: 4 */
/* A literal stood for a variable of another type: `m[i] < 5u` is not `m[i] < limit`. */
#include <stddef.h>
#include <stdio.h>

enum { N = 1000, BELOW = -1 };

static const size_t limit = 5;
static const unsigned least = 2;

static int k[N], m[N], c[N];
static unsigned u[N];
static long h[4096];

static void hash_all(void) {
    unsigned long s = 0;
    for (int i = 0; i < 4096; ++i)
        s = s * 31 + (unsigned long)h[i];
    printf("%lx\n", s);
}

int main(void) {
    for (int i = 0; i < N; ++i) {
        k[i] = i * 7 % 50;
        m[i] = i * 37 % 1000 - 500;
        c[i] = i % 3;
        u[i] = (unsigned)i * 2654435761u;
    }
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        int most = 5u, j = m[i] < most ? k[i] : i + 100;
        h[j] = h[j] * 3 + i;
    }
    hash_all();
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        long below = BELOW;
        int j = below < u[i] ? k[i] : i + 100;
        h[j] = h[j] * 3 + i;
    }
    hash_all();
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        int j = (size_t)m[i] >= limit ? k[i] : i + 100;
        h[j] = h[j] * 3 + i;
    }
    hash_all();
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        int j = c[i] - least > 5 ? k[i] : i + 100;
        h[j] = h[j] * 3 + i;
    }
    hash_all();
    return 0;
}
