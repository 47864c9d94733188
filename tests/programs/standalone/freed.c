/* Memory that the file has given back: what it said of lengths is forgotten, of that block alone. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { BLOCKS = 300, ENTRIES = 4000, LARGE = 1 << 20 };

static void count(double *sums, const int *key, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        sums[key[i]] += i % 7;
}

static double total(const double *sums, long n) {
    double all = 0;
    for (long i = 0; i < n; ++i)
        all += sums[i] * (double)(i % 11);
    return all;
}

/* Rows behind a table, one of which is given back and allocated anew, shorter or longer. */
static void rows(float **row, const int *key, long n, int length) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i)
        for (int k = 0; k < length; ++k)
            row[key[i]][k] += (float)(i % 5);
}

static double rows_total(float **row, int count, int length) {
    double all = 0;
    for (int r = 0; r < count; ++r)
        for (int k = 0; k < length; ++k)
            all += (double)row[r][k] * (r + k);
    return all;
}

/* A few pages at the place that a large block had. */
static int give(void *had) {
    char *at = (char *)((unsigned long)had & ~4095ul);
    return mmap(at, 4096 * 4, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                0) == at;
}

int main(void) {
    static double *block[BLOCKS];
    static float *row[BLOCKS];
    int *key = malloc(ENTRIES * sizeof *key);
    if (!key)
        return 1;
    for (int i = 0; i < ENTRIES; ++i)
        key[i] = i * 37 % 101;
    for (int b = 0; b < BLOCKS; ++b)
        block[b] = calloc(101 + (size_t)b, sizeof **block);
    for (int b = 0; b < BLOCKS; b += 3)
        free(block[b]);
    for (int b = 1; b < BLOCKS; b += 3)
        block[b] = realloc(block[b], 400 * sizeof **block);
    for (int b = 1; b < BLOCKS; b += b % 3) {
        count(block[b], key, ENTRIES);
        printf("%d %.0f\n", b, total(block[b], 101));
    }

    for (int r = 0; r < 101; ++r)
        row[r] = calloc(8, sizeof **row);
    float **table = malloc(101 * sizeof *table);
    for (int r = 0; r < 101 && table; ++r)
        table[r] = row[r];
    for (int pass = 0; pass < 5 && table; ++pass) {
        rows(table, key, ENTRIES, 8);
        printf("rows %.0f\n", rows_total(table, 101, 8));
        float *again = calloc(8 + (size_t)pass, sizeof *again);
        if (!again)
            return 1;
        free(table[pass]);
        table[pass] = again;
    }

    /* The same places, by somebody else. */
    double *large = calloc(LARGE, sizeof *large);
    float *long_row = calloc(LARGE, sizeof *long_row);
    if (!large || !long_row || !table)
        return 1;
    free(table[50]);
    table[50] = long_row;
    count(large, key, ENTRIES);
    rows(table, key, ENTRIES, 8);
    printf("large %.0f %.0f\n", total(large, 101), rows_total(table, 101, 8));
    fflush(stdout);
    free(large);
    free(long_row);
    if (!give(large) || !give(long_row))
        return 1;
    fprintf(stderr, "given back\n");
    count(large, key, ENTRIES);
    rows(table, key, ENTRIES, 8);
    printf("large again %.0f %.0f\n", total(large, 101), rows_total(table, 101, 8));
    return 0;
}
