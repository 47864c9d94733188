/*
 * A table that every rank needs all of, and that a run does not use: its pointer leads nowhere.
 * ranks: serially: the memory of table .*not all there
 */
#include <stdint.h>
#include <stdio.h>

enum { N = 4000 };
static double out[N], values[64];
static int flag[N];

__attribute__((noinline)) static void looks(int n, const int *restrict on,
                                            const double *restrict table) {
#pragma orrery parallel extent(table : 64)
    for (int i = 0; i < n; i++)
        if (on[i])
            out[i] += table[on[i] * 7 % 64];
}

int main(void) {
    char *volatile nowhere[] = {(char *)(uintptr_t)0x4141410000000, (char *)(uintptr_t)16};
    for (int i = 0; i < 64; i++)
        values[i] = i * 1.25;
    for (int run = 0; run < 4; run++) {
        for (int i = 0; i < N; i++)
            flag[i] = run % 2 && i % 3 == 0 ? i % 60 + 1 : 0;
        looks(N, flag, run % 2 ? values : (const double *)nowhere[run / 2]);
        double s = 0;
        for (int i = 0; i < N; i++)
            s = s * .99 + out[i];
        printf("%.17g\n", s);
    }
    return 0;
}
