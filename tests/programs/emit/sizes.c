/* emit: 2, one rank */
/* Sizes of arrays whose names stand for a copy, or for another base, in the body. */
#include <stdio.h>

static float relaxed[100], plain[1000];
static double sums[40];
static int keys[1000];

int main(void) {
    long local[30] = {0};
    for (int i = 0; i < 1000; ++i)
        keys[i] = i * 7 % 400;
#pragma orrery parallel unordered relax(relaxed) grid(1, 1)
    for (int i = 0; i < 1000; ++i)
        relaxed[keys[i] % (sizeof relaxed / sizeof *relaxed)] +=
            .25f + relaxed[(keys[i] + 1) % (sizeof(relaxed) / sizeof(relaxed[0]))] / 2;
#pragma orrery parallel unordered
    for (int i = 0; i < 1000; ++i) {
        sums[keys[i] % (int)(sizeof sums / sizeof sums[0])] += 1;
        local[keys[i] % (int)(sizeof local / sizeof *local)] += keys[i];
        plain[i % (int)(sizeof plain / sizeof *plain)] = (float)sizeof plain;
    }
    double all = 0;
    for (int i = 0; i < 100; ++i)
        all += relaxed[i] * (i % 9);
    for (int i = 0; i < 1000; ++i)
        all += plain[i];
    for (int i = 0; i < 40; ++i)
        all += sums[i] * i;
    for (int i = 0; i < 30; ++i)
        all += (double)(local[i] * i);
    printf("%.17g\n", all);
}
