/*
 * A factorization whose model and log grow and move while passes go on. usage: spill USERS PASSES OUT; with DIE=N in
 * the environment it kills itself when pass N begins.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { K = 16 };
struct rating {
    int user, item;
    float value;
};

static unsigned mix(unsigned z) {
    z = (z ^ (z >> 16)) * 0x45d9f3bu;
    z = (z ^ (z >> 16)) * 0x45d9f3bu;
    return z ^ (z >> 16);
}

int main(int argc, char **argv) {
    if (argc < 4)
        return 2;
    long users = atol(argv[1]), items = users / 4, nnz = users, lines = 0;
    int passes = atoi(argv[2]);
    struct rating *r = malloc((size_t)nnz * sizeof *r);
    float *W = malloc((size_t)users * K * sizeof *W), *H = malloc((size_t)items * K * sizeof *H);
    float *log = NULL;
    if (!r || !W || !H)
        return 3;
    for (long n = 0; n < nnz; ++n)
        r[n] = (struct rating){(int)(mix(2 * (unsigned)n + 1) % (unsigned)users),
                               (int)(mix(2 * (unsigned)n + 2) % (unsigned)items),
                               (float)(mix((unsigned)n) % 1000) * .001f};
    for (long i = 0; i < users * K; ++i)
        W[i] = (float)(i % 1009) * 1e-4f;
    for (long i = 0; i < items * K; ++i)
        H[i] = (float)(i % 1013) * 1e-4f;
    for (int pass = 0; pass < passes; ++pass) {
        double loss = 0;
        const char *die = getenv("DIE");
        if (die && pass == atoi(die))
            raise(SIGKILL);
#pragma orrery parallel unordered
        for (long n = 0; n < nnz; ++n) {
            float *w = W + (size_t)r[n].user * K, *h = H + (size_t)r[n].item * K;
            float e = r[n].value;
            for (int k = 0; k < K; ++k)
                e -= w[k] * h[k];
            loss += e * e;
            for (int k = 0; k < K; ++k) {
                float a = w[k];
                w[k] += .01f * (e * h[k] - .05f * a);
                h[k] += .01f * (e * a - .05f * h[k]);
            }
        }
        /* More than a megabyte from the first pass on, elsewhere after each. */
        float *more = realloc(log, (size_t)(lines + users * 8) * sizeof *log);
        if (!more)
            return 3;
        log = more;
        for (long u = 0; u < users * 8; ++u)
            log[lines++] = W[u * 2 % (users * K)] + (float)loss;
        printf("pass %d loss %.9f\n", pass, loss);
        fflush(stdout);
    }
    FILE *out = fopen(argv[3], "wb");
    return !out || fwrite(W, sizeof *W, (size_t)(users * K), out) != (size_t)(users * K) ||
           fwrite(H, sizeof *H, (size_t)(items * K), out) != (size_t)(items * K) ||
           fwrite(log, sizeof *log, (size_t)lines, out) != (size_t)lines || fclose(out);
}
