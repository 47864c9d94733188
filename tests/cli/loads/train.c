/* Trains on ratings in one of several ways and says what came of it, to the last bit. */
#include <orrery.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { K = 4 };

static float *zero_to_one(long n) {
    float *x = malloc((size_t)n * sizeof *x);
    for (long i = 0; i < n; ++i)
        x[i] = (float)(i * 7919 % 1000) / 1000;
    return x;
}

static void train(const struct orrery_rating *r, long count, float *W, float *H, int passes) {
    for (int pass = 0; pass < passes; ++pass) {
        ORRERY_PARALLEL(unordered)
        for (long n = 0; n < count; ++n) {
            float *w = W + (long)r[n].row * K, *h = H + (long)r[n].column * K, e = r[n].value;
            for (int k = 0; k < K; ++k)
                e -= w[k] * h[k];
            for (int k = 0; k < K; ++k) {
                float t = w[k];
                w[k] += .01f * e * h[k];
                h[k] += .01f * e * t;
            }
        }
    }
}

static void users(const struct orrery_rating *r, long count, float *W) {
    ORRERY_PARALLEL(unordered)
    for (long n = 0; n < count; ++n)
        W[(long)r[n].row * K] = W[(long)r[n].row * K] * .5f + r[n].value;
}

static void backwards(const struct orrery_rating *r, long count, float *W) {
    ORRERY_PARALLEL(unordered)
    for (long n = count - 1; n >= 0; --n)
        W[(long)r[n].row * K + 1] = W[(long)r[n].row * K + 1] * .5f + r[n].value;
}

static void some(const struct orrery_rating *r, long low, long high, float *W) {
    ORRERY_PARALLEL(unordered)
    for (long n = low; n < high; n += 3)
        W[(long)r[n].row * K + 2] = W[(long)r[n].row * K + 2] * .5f + r[n].value;
}

/* Where these read depends on what they read: rank 0 looks at all of it. */
static void permuted(const struct orrery_rating *r, const int *order, long count, float *W) {
    ORRERY_PARALLEL(unordered)
    for (long n = 0; n < count; ++n)
        W[(long)r[order[n]].row * K] = W[(long)r[order[n]].row * K] * .5f + r[order[n]].value;
}

static void chosen(const struct orrery_rating *r, long count, float *W) {
    ORRERY_PARALLEL(unordered)
    for (long n = 0; n < count; ++n)
        if (r[n].value > 2)
            W[(long)r[n].row * K + 3] = W[(long)r[n].row * K + 3] * .5f + r[n].value;
}

static void pairs(const int *from, const int *to, const double *by, long count, double *x) {
    ORRERY_PARALLEL(unordered)
    for (long n = 0; n < count; ++n) {
        double d = by[n] * (x[from[n]] - x[to[n]]);
        x[from[n]] -= d;
        x[to[n]] += d;
    }
}

static void fail(void) {
    printf("%s\n", orrery_load_error());
    exit(3);
}

static void say(const char *what, const void *data, size_t bytes) {
    unsigned long sum = 14695981039346656037ul;
    for (size_t i = 0; i < bytes; ++i)
        sum = (sum ^ ((const unsigned char *)data)[i]) * 1099511628211ul;
    printf("%s %lx\n", what, sum);
}

/* u.npy, v.npy: whole numbers below 1000; x.npy: doubles. */
static void on_arrays(void) {
    struct orrery_npy u, v, x;
    if (orrery_load_npy("u.npy", &u) != 0 || orrery_load_npy("v.npy", &v) != 0 ||
        orrery_load_npy("x.npy", &x) != 0)
        fail();
    double *state = malloc(1000 * sizeof *state);
    for (int i = 0; i < 1000; ++i)
        state[i] = i % 13;
    for (int pass = 0; pass < 2; ++pass)
        pairs(u.data, v.data, x.data, u.count, state);
    say("pairs", state, 1000 * sizeof *state);
}

static void on_ratings(const char *path, const char *how) {
    struct orrery_ratings data;
    if (orrery_load_ratings(path, &data) != 0)
        fail();
    float *W = zero_to_one((long)data.rows * K), *H = zero_to_one((long)data.columns * K);
    long n = data.count;
    int *order = malloc((size_t)n * sizeof *order);
    for (long i = 0; i < n; ++i)
        order[i] = (int)(i * 7 % n);
    for (; *how; ++how) {
        if (*how == 't')
            train(data.entry, n, W, H, 2);
        else if (*how == 'u')
            users(data.entry, n, W);
        else if (*how == 'b')
            backwards(data.entry, n, W);
        else if (*how == 's')
            some(data.entry, n / 7, n - n / 5, W);
        else if (*how == 'o')
            some(data.entry, n - n / 6, n - 9, W);
        else if (*how == 'c')
            chosen(data.entry, n, W);
        else if (*how == 'p')
            permuted(data.entry, order, n, W);
        else if (*how == 'w')
            data.entry[n / 2].value += 1;
        else if (*how == 'e')
            for (long i = 0; i < n; i += 200)
                data.entry[i].value += .5f;
        else if (*how == 'l')
            data.entry[n - 1].value -= 1;
        else if (*how == 'r')
            say("read", data.entry, (size_t)n * sizeof *data.entry);
    }
    say("W", W, (size_t)data.rows * K * sizeof *W);
    say("H", H, (size_t)data.columns * K * sizeof *H);
}

int main(int argc, char **argv) {
    if (argc == 1)
        on_arrays();
    for (int a = 1; a + 1 < argc; a += 2)
        on_ratings(argv[a], argv[a + 1]);
    return 0;
}
