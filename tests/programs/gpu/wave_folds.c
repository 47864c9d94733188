/* plain, by tree too: wavefronts that are folded into whole numbers, which lanes have of their own: any
 * order gives their bits. */
#include <stdio.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { N = 120, M = 90 };

static int a[N][M];
static unsigned b[N][M];

int main(void) {
    int most = -7;
    short total = 5;
    unsigned long odd = 1, least = ~0ul;
    unsigned char both = 255;
    long product = 3;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < M; ++j) {
            a[i][j] = (i * 31 + j * 17) % 23 - 11;
            b[i][j] = (unsigned)(i * 7 + j);
        }
    for (int pass = 0; pass < 2; ++pass) {
#pragma orrery parallel
        for (int i = 1; i < N; ++i)
            for (int j = 1; j < M; ++j) {
                int best = a[i - 1][j - 1] + (a[i][j] > 0 ? 2 : -1);
                best = a[i - 1][j] - 2 > best ? a[i - 1][j] - 2 : best;
                a[i][j] = a[i][j - 1] - 2 > best ? a[i][j - 1] - 2 : best;
                if (a[i][j] > most)
                    most = a[i][j];
                total += (short)(a[i][j] * 300);
                product *= 2 * a[i][j] + 1;
            }
#pragma orrery parallel
        for (int i = 1; i < N; ++i)
            for (int j = 1; j < M; ++j) {
                b[i][j] = b[i - 1][j] * 3 + b[i][j - 1] * 5 + (unsigned)a[i][j];
                odd ^= (unsigned long)b[i][j] << (j % 32);
                both &= (unsigned char)(b[i][j] | 64);
                least = b[i][j] < least ? b[i][j] : least;
            }
    }
    printf("%d %d %ld %lx %x %lu\n", most, total, product, odd, both, least);
    return 0;
}
