/* emit: 3 */
#include <stdio.h>
#include <stdlib.h>

struct table {
    int lines, width;
    long *cells;
};

/* Columns of a matrix: two keys could be one element when a key lay beyond the line's end. */
static void columns(long *W, const int *u, const char *ok, int n, int K, int M) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (ok[i])
            for (int k = 0; k < K; k++)
                W[k * M + u[i]] = (W[k * M + u[i]] * 5 + i + k) % 10007;
}

/* One element by two keys, and the width behind a pointer. */
static void cells(struct table *t, const int *u, const short *w, int n) {
    long *cells = t->cells;
    int width = t->width;
#pragma orrery parallel
    for (int i = n - 1; i >= 0; i--)
        cells[u[i] * width + w[i]] = (cells[u[i] * width + w[i]] * 3 + i) % 10007;
}

/* Read only, and no keys to partition by: the guard is asked every time. */
static void pick(const long *W, const int *u, long *out, int n, int K, int M) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        for (int k = 0; k < K; k++)
            out[i] += W[k * M + u[i]];
    }
}

int main(void) {
    int n = 3000, K = 5, M = 40;
    struct table t = {30, 40, calloc(30 * 40, sizeof(long))};
    long *W = calloc(K * M, sizeof *W), *out = calloc(n, sizeof *out), mix = 0;
    int *u = malloc(n * sizeof *u);
    short *w = malloc(n * sizeof *w);
    char *ok = malloc(n);
    for (int pass = 0; pass < 3; pass++) {
        for (int i = 0; i < n; i++) {
            ok[i] = i % 7 > pass;
            u[i] = ok[i] ? (i * 13 + pass) % M : -5000000;
        }
        columns(W, u, ok, n, K, M);
        for (int i = 0; i < n; i++) {
            u[i] = (i * 7 + pass) % t.lines;
            w[i] = (short)(i * 11 % t.width);
        }
        cells(&t, u, w, n);
        pick(W, u, out, n, K, M);
        for (int i = 0; i < n; i++)
            mix = (mix * 31 + out[i] + W[i % (K * M)] + t.cells[i % 1200]) % 1000003;
    }
    printf("%ld\n", mix);
    return 0;
}
