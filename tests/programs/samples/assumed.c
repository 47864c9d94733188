/*
 * What the pragmas assume of the data; the argument says which of it is false.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { N = 100, K = 20, MEMBERS = 1000 };

static void rows(const int *ptr, double *val, int n) {
#pragma orrery parallel assume(monotone(ptr))
    for (int i = 0; i < n; i++)
        for (int p = ptr[i]; p < ptr[i + 1]; p++)
            val[p] = val[p] * .5 + i;
}

static void tables(const int *idx, const int *jdx, double *a, double *b, int n) {
#pragma orrery parallel assume(injective(idx)) assume(injective(jdx))
    for (int i = 0; i < n; i++) {
        a[idx[i]] = a[idx[i]] * .5 + i;
        b[jdx[i]] = b[jdx[i]] * .25 + i;
    }
}

static void cells(const int *row, const int *col, double *m, int width, int n) {
#pragma orrery parallel unordered assume(range(col, 0, width)) assume(range(width, 1, 1000))
    for (int i = 0; i < n; i++)
        m[row[i] * width + col[i]] = m[row[i] * width + col[i]] * .5 + i;
}

static void clusters(const int *start, const int *member, int *label, int n) {
#pragma orrery parallel assume(injective(member)) assume(range(member, 0, MEMBERS + 1 - 1))
    for (int c = 0; c < n; ++c)
        for (int m = start[c]; m < start[c + 1]; ++m)
            label[member[m]] = label[member[m]] * 3 + c;
}

int main(int argc, char **argv) {
    const char *wrong = argc > 1 ? argv[1] : "";
    int *ptr = malloc((N + 1) * sizeof *ptr), *idx = malloc(N * sizeof *idx);
    int *jdx = malloc(N * sizeof *jdx), *col = malloc(N * sizeof *col);
    int *member = malloc(MEMBERS * sizeof *member), *label = calloc(MEMBERS + 1, sizeof *label);
    double *val = calloc(N * 10, sizeof *val), *a = calloc(N, sizeof *a), *b = calloc(N, sizeof *b);
    double *m = calloc((N + 1) * K, sizeof *m), sum = 0;
    for (int i = 0; i <= N; i++)
        ptr[i] = i * 3;
    for (int i = 0; i < N; i++) {
        idx[i] = i * 7 % N;
        jdx[i] = N - 1 - i;
        col[i] = idx[i] % K;
    }
    for (int i = 0; i < MEMBERS; i++)
        member[i] = MEMBERS - 1 - i;
    if (!strcmp(wrong, "monotone"))
        ptr[50] = 2;
    if (!strcmp(wrong, "injective"))
        jdx[77] = jdx[3];
    if (!strcmp(wrong, "high"))
        col[5] = K;
    if (!strcmp(wrong, "low"))
        col[6] = -1;
    if (!strcmp(wrong, "inside"))
        member[7] = member[250];
    if (!strcmp(wrong, "beyond"))
        member[7] = MEMBERS;
    rows(ptr, val, N);
    tables(idx, jdx, a, b, N);
    cells(jdx, col, m, K, N);
    clusters(ptr, member, label, N);
    for (int i = 0; i < N; i++)
        sum = sum * .9 + val[i] + a[i] + b[i] + m[i] + label[MEMBERS - 1 - i];
    printf("%.17g\n", sum);
    return 0;
}
