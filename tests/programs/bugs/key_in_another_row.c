/* same: 1 */
/* Keys that only some iterations read, in a row that another access of the same offset does not reach, and in the
 * structure behind one that is touched: they are not read ahead of the loop, as the rows and the structure may not
 * be there. What is in the structure that is touched may be. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000, KEYS = 50 };

struct pair {
    int first, key;
};

static double w[KEYS], a[N], out[N];

static void by_row(int **t, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        out[i] = t[0][0] + (t[i] != NULL);
        a[i] = a[i] * 2;
        if (a[i] > 0)
            w[t[i][0]] = w[t[i][0]] * .5 + a[i];
    }
}

static void by_next_pair(const struct pair *p, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        out[i] += p[i].key;
        a[i] = a[i] * .5;
        if (a[i] > 0 && i + 1 < n)
            w[p[i + 1].first] = w[p[i + 1].first] * .5 + a[i];
    }
}

static void by_pair(const struct pair *p, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        out[i] += p[i].key;
        a[i] = a[i] * .5;
        if (a[i] > 0)
            w[p[i].first] = w[p[i].first] * .5 + a[i];
    }
}

static double sum(void) {
    double s = 0;
    for (int k = 0; k < KEYS; ++k)
        s += w[k] * (k + 1);
    return s;
}

int main(void) {
    int **t = calloc(N, sizeof *t);
    struct pair *p = malloc(N * sizeof *p);
    for (int i = 0; i < N; ++i) {
        a[i] = i % 3 == 0 ? 1 : -1;
        p[i] = (struct pair){i % KEYS, i};
        if (i % 3 == 0) {
            t[i] = malloc(2 * sizeof(int));
            t[i][0] = i % KEYS;
            t[i][1] = i;
        }
    }
    by_row(t, N);
    printf("%.6f %g\n", sum(), out[7]);
    by_next_pair(p, N);
    by_pair(p, N);
    printf("%.6f %g\n", sum(), out[7]);
    for (int i = 0; i < N; ++i)
        free(t[i]);
    free(t);
    free(p);
    return 0;
}
