/* emit: 7 */
/* Data read through a pointer of another type chose the elements as if read as what they are. */
#include <stdio.h>
#include <string.h>

enum { N = 1000, M = 1 << 16 };

struct two {
    short a, b;
};

static int m[N];
static float f[N];
static long h[M];

static int first(const void *p) {
    return *(const unsigned char *)p;
}

static void hash_all(void) {
    unsigned long s = 0;
    for (int i = 0; i < M; ++i)
        s = s * 31 + (unsigned long)h[i];
    printf("%lx\n", s);
}

int main(void) {
    for (int i = 0; i < N; ++i) {
        m[i] = (int)(i * 2654435761u >> 3) - 100000000;
        f[i] = (float)(i % 37) * 1.25f;
    }
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        unsigned char b = *(unsigned char *)&m[i];
        h[b] = h[b] * 3 + i;
    }
    hash_all();
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        unsigned char b = ((unsigned char *)m)[i];
        h[b] = h[b] * 3 + i;
    }
    hash_all();
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        int b = ((short *)m)[2 * i] & 1023;
        h[b] = h[b] * 3 + i;
    }
    hash_all();
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        const unsigned char *bytes = (unsigned char *)(m + i);
        h[bytes[1]] = h[bytes[1]] * 3 + i;
    }
    hash_all();
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        int b = first(&m[i]);
        h[b] = h[b] * 3 + i;
    }
    hash_all();
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        const struct two *t = (const struct two *)&m[i];
        int b = t->a & 1023;
        h[b] = h[b] * 3 + i;
    }
    hash_all();
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        unsigned b = ((unsigned *)f)[i] >> 16;
        h[b] = h[b] * 3 + i;
    }
    hash_all();
    return 0;
}
