/* evaluated: 3 */
/* What lies behind the elements that are summed up, in the same block, is not a number: as a double
 * it may be a signalling NaN, which arithmetic changes. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 20000, BINS = 100, WORDS = 1000 };

static int bin[COUNT];

static void sums(double *restrict y, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; i++)
        y[bin[i]] += (double)i;
}

static void halves(float *restrict y, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; i++)
        y[bin[i]] += (float)(i % 3);
}

static void largest(double *restrict y, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; i++)
        y[bin[i]] = fmax(y[bin[i]], (double)i);
}

static uint64_t hash(const void *memory, size_t bytes) {
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < bytes; ++i)
        hash = (hash ^ ((const unsigned char *)memory)[i]) * 1099511628211u;
    return hash;
}

int main(void) {
    double *y = malloc(BINS * sizeof *y + WORDS * sizeof(uint64_t));
    char *behind = (char *)(y + BINS);
    for (int i = 0; i < COUNT; ++i)
        bin[i] = i * 7 % BINS;
    for (int form = 0; form < 3; ++form) {
        memset(y, 0, BINS * sizeof *y);
        for (uint64_t i = 0; i < WORDS; ++i) {
            uint64_t word = form == 1 ? 0x7f8000017f800001u + i : 0x7ff0000000000001u + i;
            memcpy(behind + i * sizeof word, &word, sizeof word);
        }
        if (form == 0)
            sums(y, COUNT);
        else if (form == 1)
            halves((float *)y, COUNT);
        else
            largest(y, COUNT);
        printf("%d %016llx\n", form, (unsigned long long)hash(y, BINS * sizeof *y));
        printf("%d %016llx behind\n", form, (unsigned long long)hash(behind, WORDS * 8));
    }
    free(y);
    return 0;
}
