/* The same counts in one flat array; its index comes from a function.
 * loop: parallel reduction
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

enum { LABELS = 3, FEATURES = 6, VALUES = 4 };

static size_t cell(int label, int feature, int value) {
    return ((size_t)label * FEATURES + feature) * VALUES + value;
}

static void count_all(const unsigned char *x, const unsigned char *y, size_t n, unsigned *table) {
#pragma orrery parallel
    for (size_t i = 0; i < n; i++)
        for (int f = 0; f < FEATURES; f++)
            table[cell(y[i], f, x[i * FEATURES + f])] += 1;
}

int main(void) {
    size_t n = 600;
    unsigned char *x = malloc(n * FEATURES), *y = malloc(n);
    unsigned *table = calloc(LABELS * FEATURES * VALUES, sizeof *table);
    for (size_t i = 0; i < n; i++) {
        y[i] = i % 5 % LABELS;
        for (int f = 0; f < FEATURES; f++) x[i * FEATURES + f] = (i / (f + 1) + y[i]) % VALUES;
    }
    count_all(x, y, n, table);
    for (int i = 0; i < LABELS * FEATURES * VALUES; i++) printf("%u%c", table[i], i % 12 == 11 ? '\n' : ' ');
    free(x), free(y), free(table);
    return 0;
}
