/* plain */
/* What only a loop inside follows is neither gathered
 * nor copied to the device when that loop never runs. */
#include <stdio.h>
#include <stdlib.h>

struct pair {
    int user, item;
    unsigned value;
};

struct vector {
    float w[8];
    int n;
};

static void one_key(float *a, const int *k, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[k[i]] = a[k[i]] * .5f + j;
}

static void two_keys(unsigned *restrict w, unsigned *restrict h, const struct pair *r, int n,
                     int rank) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int k = 0; k < rank; k++) {
            unsigned error = r[i].value - w[r[i].user * rank + k] * h[r[i].item * rank + k];
            w[r[i].user * rank + k] += 3 * error;
            h[r[i].item * rank + k] += 5 * error;
        }
}

static void rows(float *restrict y, const int *restrict ptr, const int *restrict col,
                 const float *restrict x, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        float sum = i;
        for (int p = ptr[i]; p < ptr[i + 1]; p++)
            sum += x[col[p]];
        y[i] = sum;
    }
}

static void one_pointer(const struct vector *s, float *a, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[i] = i;
        for (int j = 0; j < m; j++)
            a[i] += s->w[j];
    }
}

static void sums_by_pointer(float *g, const int *k, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            g[k[i]] += i % 8 + j;
}

int main(void) {
    enum { N = 1000 };
    float *a = calloc(N, sizeof *a), *h = calloc(N, sizeof *h);
    int *k = calloc(N, sizeof *k), *ptr = calloc(N + 1, sizeof *ptr),
        *none = calloc(N + 1, sizeof *none);
    struct pair *r = calloc(N, sizeof *r);
    unsigned *u = calloc(N, sizeof *u), *v = calloc(N, sizeof *v);
    struct vector *s = malloc(sizeof *s);
    *s = (struct vector){{1, 2, 3}, 3};
    for (int i = 0; i < N; i++) {
        k[i] = i * 7 % 100, ptr[i + 1] = ptr[i] + i % 2;
        r[i] = (struct pair){i * 3 % 50, i * 11 % 50, i % 5};
    }
    one_key(a, NULL, N, 0), one_key(a, k, N, 2), one_key(NULL, NULL, 0, 2);
    two_keys(NULL, NULL, NULL, N, 0), two_keys(u, v, r, N, 4), two_keys(NULL, NULL, NULL, 0, 4);
    rows(h, none, NULL, NULL, N), rows(h, ptr, k, a, N), rows(NULL, NULL, NULL, NULL, 0);
    sums_by_pointer(NULL, NULL, N, 0), sums_by_pointer(a, k, N, 2),
        sums_by_pointer(NULL, NULL, 0, 2);
    for (int i = 0; i < N; i++)
        printf("%.7g %.7g %u %u\n", a[i], h[i], u[i], v[i]);
    one_pointer(NULL, a, N, 0), one_pointer(s, h, N, 3), one_pointer(NULL, NULL, 0, 3);
    for (int i = 0; i < N; i++)
        printf("%.7g %.7g\n", a[i], h[i]);
    return 0;
}
