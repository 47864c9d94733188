/*
 * Rows that are loaded while earlier iterations run: the same row again, after one, two and more
 * others; rows that overlap the last ones by a part; iterations that end early; a row that is only
 * read; blocks of one record and of more than a warp's. All numbers are small and whole, so that
 * sums by tree have the serial bits.
 */
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

struct visit {
    int who, what, kind;
};

/* How far apart rows of one key are is the iteration's own matter: they overlap. */
static void slides(const struct visit *v, long n, float *W, int K, int room) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        float *w = W + (long)v[i].who * room + v[i].what % 5, sum = (float)v[i].kind;
        for (int k = 0; k < K; ++k)
            sum += w[k];
        for (int k = 0; k < K; ++k)
            w[k] = (float)((int)(w[k] + sum) % 8);
    }
}

/* Two rows, one of them changed in some iterations, the other only read. */
static long ends(const struct visit *v, long n, float *W, const float *H, int K) {
    long total = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        float *w = W + (long)v[i].who * K, e = 0;
        const float *h = &H[(long)v[i].what * K];
        for (int k = 0; k < K; ++k)
            e += w[k] * h[k];
        total += (long)e % 16;
        if ((int)e % 3 == v[i].kind % 3)
            continue;
        for (int k = 0; k < K; ++k)
            w[k] = (float)((int)(w[k] + e + h[k]) % 4);
    }
    return total;
}

static long both(const struct visit *v, long n, int *W, int *H, int K) {
    long total = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        int u = v[i].who, *w = W + (long)u * K, *h = H + (long)v[i].what * K, e = v[i].kind;
        for (int k = 0; k < K; ++k)
            e += w[k] * h[k];
        total += e % 100;
        for (int k = 0; k < K; ++k) {
            int before = w[k];
            w[k] = (w[k] + e * h[k]) % 16;
            h[k] = (h[k] + e * before + u) % 16;
        }
    }
    return total;
}

static unsigned long hash_of(const void *data, size_t bytes) {
    unsigned long hash = 1469598103934665603u;
    for (size_t i = 0; i < bytes; ++i)
        hash = (hash ^ ((const unsigned char *)data)[i]) * 1099511628211u;
    return hash;
}

static void run(int K, long n, int users, int items) {
    int room = K + 8;
    struct visit *v = malloc((size_t)n * sizeof *v);
    float *W = malloc(sizeof(float) * (size_t)(users * room));
    float *H = malloc(sizeof(float) * (size_t)(items * K));
    int *A = malloc(sizeof(int) * (size_t)(users * K)),
        *B = malloc(sizeof(int) * (size_t)(items * K));
    unsigned long seed = (unsigned long)(K * 31 + n);
    for (long i = 0; i < n; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        v[i] = (struct visit){(int)(seed >> 33) % users, (int)(seed >> 41) % items, (int)(i % 7)};
    }
    for (int i = 0; i < users * room; ++i)
        W[i] = (float)(i * 7 % 4);
    for (int i = 0; i < items * K; ++i)
        H[i] = (float)(i * 5 % 3);
    for (int i = 0; i < users * K; ++i)
        A[i] = i * 7 % 16;
    for (int i = 0; i < items * K; ++i)
        B[i] = i * 5 % 16;
    slides(v, n, W, K, room);
    printf("%d %ld: %016lx", K, n, hash_of(W, sizeof(float) * (size_t)(users * room)));
    long total = ends(v, n, W, H, K);
    printf(" %ld %016lx", total, hash_of(W, sizeof(float) * (size_t)(users * K)));
    total = both(v, n, A, B, K);
    printf(" %ld %016lx %016lx\n", total, hash_of(A, sizeof(int) * (size_t)(users * K)),
           hash_of(B, sizeof(int) * (size_t)(items * K)));
    free(v), free(W), free(H), free(A), free(B);
}

int main(int argc, char **argv) {
    static const int widths[] = {1, 31, 32, 33, 64, 100, 128, 132, 512, 520};
    int only = argc > 1 ? atoi(argv[1]) : 0;
    for (size_t w = 0; w < sizeof widths / sizeof *widths; ++w)
        if (!only || widths[w] == only) {
            run(widths[w], 1, 1, 1);
            run(widths[w], 60, 2, 1);
            run(widths[w], 150, 5, 3);
        }
    return 0;
}
