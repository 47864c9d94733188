/* emit: 4 */
/* Sums and products of 64 bits that have wrapped around
 * were divided and compared as if they had not. */
#include <stddef.h>
#include <stdio.h>

enum { N = 1000 };

static long a[32], b[2 * N];
static unsigned long hash[N];

static void hash_all(void) {
    unsigned long s = 0;
    for (int i = 0; i < 32; ++i)
        s = s * 31 + (unsigned long)a[i];
    for (int i = 0; i < 2 * N; ++i)
        s = s * 31 + (unsigned long)b[i];
    printf("%lx\n", s);
}

int main(int argc, char **argv) {
    (void)argv;
    size_t back = (size_t)-3 - (size_t)argc;
    for (int i = 0; i < N; ++i)
        hash[i] = (unsigned long)i * 0x9e3779b97f4a7c15ul;
#pragma orrery parallel
    for (size_t i = 0; i < 10; ++i) {
        size_t j = (i + back) % 10;
        a[j] = a[j] * 3 + (long)i + 1;
    }
    hash_all();
#pragma orrery parallel
    for (unsigned long i = 1ul << 62; i < (1ul << 62) + 10; ++i) {
        unsigned long j = i * 31 % 10;
        a[j] = a[j] * 3 + (long)(i & 15) + 1;
    }
    hash_all();
#pragma orrery parallel
    for (size_t i = 0; i < N; ++i) {
        size_t j = i + back < N ? i + back : i + N;
        b[j] = b[j] * 3 + (long)i;
    }
    hash_all();
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        long j = (long)hash[i] % 10 + 9;
        a[j] = a[j] * 3 + i;
    }
    hash_all();
    return 0;
}
