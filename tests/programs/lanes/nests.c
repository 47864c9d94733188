/* Bodies that begin with a nest over rows. Prints a hash of all results. usage: nests ROWS COLUMNS CENTRES */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long hash = 14695981039346656037ul;

static void show(const char *what, const void *bytes, size_t count) {
    const unsigned char *b = bytes;
    for (size_t i = 0; i < count; ++i)
        hash = (hash ^ b[i]) * 1099511628211ul;
    printf("%s %016lx\n", what, hash);
}

static float apart(const float *a, const float *b, int D) {
    float sum = 0;
    for (int j = 0; j < D; ++j)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

/* A call, and what is found along with a minimum. */
static void nearest(const float *x, const float *c, int *to, float *at, long n, int D, long K) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        int best = -1;
        float least = INFINITY;
        for (int k = 0; k < K; ++k) {
            float d = apart(x + i * D, c + (long)k * D, D);
            if (d < least) {
                least = d;
                best = k;
            }
        }
        to[i] = best;
        at[i] = least;
    }
}

/* Numbers of eight bytes; a row pointer; the last of equal ones; `continue` behind the nest. */
static void farthest(const double *x, double (*c)[7], long *to, long n, int K) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        const double *row = x + i * 7;
        double most = -1;
        long best = 0;
        for (long k = K - 1; k >= 0; --k) {
            double d = 0;
            for (int j = 0; j < 7; ++j) {
                double e = row[j] - c[k][j];
                d += e * e;
            }
            if (d >= most) {
                most = d;
                best = k;
            }
        }
        if (best == 3)
            continue;
        to[i] = best;
    }
}

/* Bytes as numbers, a weight that the iteration reads once, and a sum behind. */
static double layer(const unsigned char *x, const float *w, const float *scale, float *y, int n,
                    int D, int K) {
    double all = 0;
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        float top = -INFINITY, sum = -0.0f;
        for (int k = 0; k < K; ++k) {
            float z = scale[i];
            for (int j = 0; j < D; ++j)
                z -= (float)x[(long)i * D + j] * w[k * D + j];
            if (z > top)
                top = z;
            sum += z / 3;
        }
        y[i] = top;
        all += sum;
    }
    return all;
}

/* What must not run in lanes: a row that the loop writes, a read under a condition, bounds of the
 * row's own, a declaration that reads, other types within, a division of whole numbers. */
static void written(float *x, const float *c, int n, int D, int K) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        float top = 0;
        for (int k = 0; k < K; ++k) {
            float z = 0;
            for (int j = 0; j < D; ++j)
                z += x[(long)i * D + j] * c[k * D + j];
            if (z > top)
                top = z;
        }
        for (int j = 0; j < D; ++j)
            x[(long)i * D + j] = top;
    }
}

static void guarded(const float *x, const float *c, const float *extra, float *y, int n, int D,
                    int K) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        float top = 0;
        for (int k = 0; k < K; ++k) {
            float z = 0;
            for (int j = 0; j < D; ++j)
                z += x[(long)i * D + j] * c[k * D + j];
            if (z > top)
                top = extra[k];
        }
        y[i] = top;
    }
}

static void ragged(const float *x, const float *c, const int *length, float *y, int n, int D,
                   int K) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        float top = 0;
        for (int k = 0; k < K; ++k) {
            float z = 0;
            for (int j = 0; j < length[i]; ++j)
                z += x[(long)i * D + j] * c[k * D + j];
            if (z > top)
                top = z;
        }
        y[i] = top;
    }
}

static void reads(const float *x, const float *c, float *y, int n, int D, int K) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        float top = D > 0 ? c[0] : 0;
        for (int k = 0; k < K; ++k) {
            float z = 0;
            for (int j = 0; j < D; ++j)
                z += x[(long)i * D + j] * c[k * D + j];
            if (z > top)
                top = z;
        }
        y[i] = top;
    }
}

static void mixed(const float *x, const float *c, float *y, int n, int D, int K) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        double top = 0;
        for (int k = 0; k < K; ++k) {
            float z = 0;
            for (int j = 0; j < D; ++j)
                z += x[(long)i * D + j] * c[k * D + j];
            if (z > top)
                top = z;
        }
        y[i] = (float)top;
    }
}

static void divided(const float *x, const float *c, float *y, int n, int D, int K, int part) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        float top = 0;
        for (int k = 0; k < K; ++k) {
            float z = 0;
            for (int j = 0; j < D; ++j)
                z += x[(long)(i / part * part) * D + j] * c[k * D + j];
            if (z > top)
                top = z;
        }
        y[i] = top;
    }
}

static void *kept[16];
static int nkept;

static void *filled(size_t count, size_t size) {
    void *made = calloc(count + 1, size);
    if (!made)
        exit(1);
    kept[nkept++] = made;
    return made;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 100, D = argc > 2 ? atoi(argv[2]) : 9,
        K = argc > 3 ? atoi(argv[3]) : 6;
    size_t rows = (size_t)n, wide = (size_t)D, many = (size_t)K;
    float *x = filled(rows * wide, sizeof *x), *c = filled(many * wide, sizeof *c),
          *y = filled(rows, sizeof *y);
    float *scale = filled(rows + many, sizeof *scale);
    double *z = filled(rows * 7, sizeof *z), (*d)[7] = filled(many, sizeof *d);
    unsigned char *bytes = filled(rows * wide, 1);
    int *to = filled(rows, sizeof *to);
    long *far = filled(rows, sizeof *far);
    srand(7);
    for (size_t i = 0; i < rows * wide; ++i) {
        x[i] = (float)(rand() % 1000) / 7 - 70;
        bytes[i] = (unsigned char)rand();
    }
    for (size_t i = 0; i < rows * wide; i += 41)
        x[i] = i % 2 ? NAN : -0.0f;
    for (size_t i = 0; i < many * wide; ++i)
        c[i] = (float)(rand() % 1000) / 7 - 70;
    for (size_t i = 0; i < rows * 7; ++i)
        z[i] = rand() % 5;
    for (size_t i = 0; i < many * 7; ++i)
        d[i / 7][i % 7] = rand() % 5;
    for (size_t i = 0; i < rows + many; ++i)
        scale[i] = (float)(rand() % 100) / 3;
    for (int i = 0; i < n; ++i)
        to[i] = i % (D + 1);
    ragged(x, c, to, y, n, D, K);
    show("ragged", y, rows * sizeof *y);
    nearest(x, c, to, y, n, D, K);
    show("nearest", to, rows * sizeof *to);
    show("nearest", y, rows * sizeof *y);
    farthest(z, d, far, n, K);
    show("farthest", far, rows * sizeof *far);
    double all = layer(bytes, c, scale, y, n, D, K);
    printf("%.6g\n", all);
    show("layer", y, rows * sizeof *y);
    guarded(x, c, scale, y, n, D, K);
    show("guarded", y, rows * sizeof *y);
    reads(x, c, y, n, D, K);
    show("reads", y, rows * sizeof *y);
    divided(x, c, y, n, D, K, D > 0 ? 3 : 0);
    show("divided", y, rows * sizeof *y);
    mixed(x, c, y, n, D, K);
    show("mixed", y, rows * sizeof *y);
    written(x, c, n, D, K);
    show("written", x, rows * wide * sizeof *x);
    while (nkept)
        free(kept[--nkept]);
    return 0;
}
