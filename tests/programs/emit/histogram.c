/* emit: 2 */
#include <stdio.h>
#include <stdlib.h>

static void count(const unsigned char *key, int n, long *bins) {
#pragma orrery parallel unordered
    for (int i = 0; i < n; ++i)
        bins[key[i]]++;
}

int main(void) {
    int n = 4000;
    unsigned char *key = malloc(n);
    long *bins = calloc(256, sizeof *bins);
    double sums[16][3] = {{0}};
    for (int i = 0; i < n; ++i)
        key[i] = (unsigned char)(i * 37 % 251);
    count(key, n, bins);
#pragma orrery parallel unordered
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 3; ++j)
            sums[key[i] % 16][j] += i * j;
    long mix = 0;
    for (int i = 0; i < 256; ++i)
        mix = mix * 31 % 1000003 + bins[i];
    printf("%ld", mix);
    for (int i = 0; i < 16; ++i)
        printf(" %.0f", sums[i][2]);
    printf("\n");
    free(key), free(bins);
    return 0;
}
