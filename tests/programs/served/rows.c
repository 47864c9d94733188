/*
 * Served rows of several numbers, of several types, at an offset, with a call in the subscript; one
 * of them buffered. The rows that a hash chooses.
 */
#include "model.h"

enum { N = 1500, M = 5000, K = 3, MOST = 9 };
static long ptr[N + 1];
static unsigned word[N * MOST];
static double y[N];

static unsigned hash(unsigned x) {
    x ^= x >> 15;
    x *= 2246822519u;
    return (x ^ (x >> 13)) % M;
}

static double pace = .25;
static int turn = 3;

static double slower(double u) {
    return turn > 2 ? u : -u;
}

static double *largest, sums[M * K];

static void apply(double *x, double u, long i) {
    if (u > largest[i])
        largest[i] = u;
    sums[i] += u;
    *x += sums[i] * 1e-3 + i % 2 ? u * pace : slower(u) * .125;
}

static void model_apply(void *x, const void *u, long i) {
    apply(x, *(const double *)u, i);
}

static void body(long i, void **own, void **seen) {
    double *v = seen[0], *v_to = own[0], z = 0;
    unsigned char *count = own[1];
    float *f = own[2];
    for (long p = ptr[i]; p < ptr[i + 1]; ++p)
        for (int k = 0; k < K; ++k)
            z += v[(long)hash(word[p]) * K + k] + f[hash(word[p]) + 1];
    for (long p = ptr[i]; p < ptr[i + 1]; ++p) {
        for (int k = 0; k < K; ++k)
            v_to[(long)hash(word[p]) * K + k] += .01 * (y[i] - z) * (k + 1);
        count[hash(word[p])]++;
        f[hash(word[p]) + 1] += .01f * (float)(y[i] - z);
    }
}

int main(void) {
    double *v = calloc(M * K, sizeof *v);
    unsigned char *count = calloc(M, sizeof *count);
    float *f = calloc(M + 2, sizeof *f);
    for (long i = 0; i < N; ++i) {
        long p = ptr[i];
        for (unsigned k = draw(MOST); k > 0; --k)
            word[p++] = draw(draw(3) ? 1000000 : 20);
        ptr[i + 1] = p;
        y[i] = (double)draw(3) / 4;
    }
    largest = calloc(M * K, sizeof *largest);
    double *largest_copy = calloc(M * K, sizeof *largest), *sums_copy = copy_of(sums, sizeof sums);
    double *v_copy = copy_of(v, M * K * sizeof *v);
    unsigned char *count_copy = copy_of(count, M);
    float *f_copy = copy_of(f, (M + 2) * sizeof *f);
    struct array arrays[] = {{.target = v_copy, .n = M * K, .type = 'd', .apply = model_apply},
                             {.target = count_copy, .n = M, .type = 'b'},
                             {.target = f_copy, .n = M + 2, .type = 'f'}};
    for (int pass = 0; pass < 3; ++pass) {
        pace /= 2;
        turn = 4 - turn;
#pragma orrery parallel unordered buffer(v : apply) relax(count, f) CLAUSES
        for (long i = 0; i < N; ++i) {
            double z = 0;
            for (long p = ptr[i]; p < ptr[i + 1]; ++p)
                for (int k = 0; k < K; ++k)
                    z += v[(long)hash(word[p]) * K + k] + f[hash(word[p]) + 1];
            for (long p = ptr[i]; p < ptr[i + 1]; ++p) {
                for (int k = 0; k < K; ++k)
                    v[(long)hash(word[p]) * K + k] += .01 * (y[i] - z) * (k + 1);
                count[hash(word[p])]++;
                f[hash(word[p]) + 1] += .01f * (float)(y[i] - z);
            }
        }
        double *kept = largest, *kept_sums = copy_of(sums, sizeof sums);
        largest = largest_copy;
        memcpy(sums, sums_copy, sizeof sums);
        model_run(N, ROWS, STEPS, ITERATIONS, 3, arrays, body);
        memcpy(sums_copy, sums, sizeof sums);
        memcpy(sums, kept_sums, sizeof sums);
        largest = kept;
    }
    compare("v", v, v_copy, M * K * sizeof *v);
    compare("largest", largest, largest_copy, M * K * sizeof *largest);
    compare("sums", sums, sums_copy, sizeof sums);
    compare("count", count, count_copy, M);
    compare("f", f, f_copy, (M + 2) * sizeof *f);
    return bad;
}
