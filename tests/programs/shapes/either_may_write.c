/* Conditions keep iterations apart, but what a rank may write is more than what it writes.
 * loop: parallel independent
 * result: same
 * ranks: refused it is not known before the loop runs which of two ranks writes
 */
#include <stdio.h>

static double rows[8][80];

static void spread(int t) {
#pragma orrery parallel
    for (int i = 0; i < 40; i++) {
        if (i < 20)
            rows[t][i] = rows[t - 1][i + 1] + 1;
        else
            rows[t][i + 20] = rows[t - 1][i] * .5;
    }
}

int main(void) {
    double sum = 0;
    for (int i = 0; i < 80; i++)
        rows[0][i] = i;
    for (int t = 1; t < 8; t++)
        spread(t);
    for (int i = 0; i < 80; i++)
        sum = sum * .9 + rows[7][i];
    printf("%a\n", sum);
    return 0;
}
