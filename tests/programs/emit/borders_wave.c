/* emit: 6 */
/* A wavefront in a flat table with a border, of rows m + 1 long and counted from 1. */
#include <stdio.h>
#include <stdlib.h>

static void lcs(const char *restrict a, const char *restrict b, int n, int m, int *restrict L) {
#pragma orrery parallel
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= m; ++j) {
            if (a[i - 1] == b[j - 1])
                L[i * (m + 1) + j] = L[(i - 1) * (m + 1) + j - 1] + 1;
            else if (L[(i - 1) * (m + 1) + j] > L[i * (m + 1) + j - 1])
                L[i * (m + 1) + j] = L[(i - 1) * (m + 1) + j];
            else
                L[i * (m + 1) + j] = L[i * (m + 1) + j - 1];
        }
}

/* Bounds that C compares as unsigned numbers: below zero they are large. */
enum { ROWS = 40, WIDTH = 160 };
static unsigned T[ROWS][WIDTH];

static void from_int(int low, int high) {
#pragma orrery parallel
    for (int i = 1; i < ROWS; ++i)
        for (unsigned long j = low; j < high; ++j)
            T[i][j + 5] = T[i - 1][j + 5] * 3 + T[i][j + 4] + 1;
}

static void to_literal(int low) {
#pragma orrery parallel
    for (int i = 1; i < ROWS; ++i)
        for (int j = low; j < 140u; ++j)
            T[i][j + 5] = T[i - 1][j + 5] * 5 + T[i][j + 4] + 1;
}

static void from_unsigned(unsigned low, int high) {
#pragma orrery parallel
    for (int i = 1; i < ROWS; ++i)
        for (int j = low; j < high; ++j)
            T[i][j + 5] = T[i - 1][j + 5] * 7 + T[i][j + 4] + 1;
}

static void down(unsigned long high, int low) {
#pragma orrery parallel
    for (int i = 1; i < ROWS; ++i)
        for (unsigned long j = high; j > low; --j)
            T[i][j + 5] = T[i - 1][j + 5] * 11 + T[i][j + 6] + 1;
}

/* Of the first rows and of the last nothing is added up, of those between `high` numbers. */
static unsigned U[ROWS * 8][4 * WIDTH], V[ROWS * 8][WIDTH];

static void bent(unsigned high) {
#pragma orrery parallel
    for (int i = 1; i < ROWS * 8; ++i)
        for (int j = 1; j < WIDTH; ++j) {
            unsigned s = 0;
            for (unsigned long k = i - 5; k < high; ++k)
                s = s * 3 + U[i][k];
            V[i][j] = V[i - 1][j] * 3 + V[i][j - 1] + s;
        }
}

static unsigned bent_often(void) {
    unsigned sum = 0;
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < ROWS * 8 * 4 * WIDTH; ++i)
            U[i / (4 * WIDTH)][i % (4 * WIDTH)] = (unsigned)(i + round) % 11;
        bent(20 + 100 * (unsigned)round);
        for (int i = 0; i < ROWS * 8 * WIDTH; ++i)
            sum = sum * 31 + V[i / WIDTH][i % WIDTH];
    }
    return sum;
}

static unsigned unsigned_bounds(void) {
    unsigned sum = 0;
    for (int low = -3; low <= 3; low += 3) {
        for (int i = 0; i < ROWS * WIDTH; ++i)
            T[i / WIDTH][i % WIDTH] = (unsigned)i % 11 % 3;
        from_int(low, 120);
        to_literal(low);
        from_unsigned((unsigned)low, 130);
        down(110, low < 0 ? -1 : low);
        for (int i = 0; i < ROWS * WIDTH; ++i)
            sum = sum * 31 + T[i / WIDTH][i % WIDTH];
    }
    return sum;
}

int main(void) {
    static const int sizes[][2] = {{60, 50}, {50, 61}, {1, 1},  {3, 2},
                                   {0, 4},   {4, 0},   {33, 1}, {1, 40}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        int n = sizes[s][0], m = sizes[s][1];
        size_t count = (size_t)(n + 1) * (size_t)(m + 1);
        int *L = calloc(count, sizeof *L);
        char a[64], b[64];
        for (int i = 0; i < 64; ++i) {
            a[i] = (char)(i * 7 % 5);
            b[i] = (char)(i * 11 % 7 % 5);
        }
        lcs(a, b, n, m, L);
        unsigned sum = 0;
        for (size_t i = 0; i < count; ++i)
            sum = sum * 31 + (unsigned)L[i];
        printf("%d %u\n", L[count - 1], sum);
        free(L);
    }
    printf("%u\n", unsigned_bounds());
    printf("%u\n", bent_often());
    return 0;
}
