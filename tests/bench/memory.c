/*
 * A factorization whose model is larger than any one rank may hold. Serial C; nothing in it knows of ranks.
 * usage: memory USERS ITEMS RATINGS PASSES HOW [OUT]
 *   HOW: letters, any of   s  serial loops set the model   p  parallel loops set it
 *                          n  a norm of W behind the last pass, a loop with another cut
 *                          k  the key is a number of the body, too
 *                          a  serial code reads one row in a thousand behind every pass
 *   OUT: fwrite saves the model.
 * 64 floats a row (-DK=64): with 1000000 USERS and 250000 ITEMS the model has 320 MB.
 */
#include "../cluster/model.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t z) {
    z = (z + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

static void set(float *rows, long count, long period, int serially) {
    if (serially) {
        for (long i = 0; i < count * K; ++i)
            rows[i] = (float)(i % period + 1) * 1e-4f;
        return;
    }
#pragma orrery parallel
    for (long u = 0; u < count; ++u)
        for (int k = 0; k < K; ++k)
            rows[u * K + k] = (float)((u * K + k) % period + 1) * 1e-4f;
}

static int save(const char *path, const float *W, size_t users, const float *H, size_t items) {
    FILE *file = fopen(path, "wb");
    return !file || fwrite(W, sizeof *W, users * K, file) != users * K ||
           fwrite(H, sizeof *H, items * K, file) != items * K || fclose(file);
}

int main(int argc, char **argv) {
    if (argc < 6)
        return 2;
    long users = atol(argv[1]), items = atol(argv[2]), nnz = atol(argv[3]);
    int passes = atoi(argv[4]);
    const char *how = argv[5];
    int serially = strchr(how, 's') != NULL;
    struct rating *r = malloc((size_t)nnz * sizeof *r);
    float *W = calloc((size_t)users * K, sizeof *W), *H = calloc((size_t)items * K, sizeof *H);
    if (!r || !W || !H)
        return 3;
    for (long n = 0; n < nnz; ++n) {
        uint64_t z = (uint64_t)n;
        r[n] = (struct rating){(int)(mix(z) % (uint64_t)users),
                               (int)(mix(z + 77777777777ul) % (uint64_t)items),
                               (float)(mix(z * 3) % 1000) * .001f};
    }
    set(W, users, 1009, serially);
    set(H, items, 1013, serially);
    for (int pass = 0; pass < passes; ++pass) {
        double loss = strchr(how, 'k') ? train_numbered(r, nnz, 1e-9f, W, H) : train(r, nnz, W, H);
        printf("pass %d rmse %.9f\n", pass, sqrt(loss / (double)nnz));
        double seen = 0;
        for (long u = 0; strchr(how, 'a') && u < users; u += 1000)
            seen += W[u * K];
        if (strchr(how, 'a'))
            printf("seen %.6f\n", seen);
        fflush(stdout);
    }
    if (strchr(how, 'n'))
        printf("norm %.6f\n", norm_of(W, users));
    if (argc > 6 && save(argv[6], W, (size_t)users, H, (size_t)items))
        return 4;
    free(r);
    free(W);
    free(H);
    return 0;
}
