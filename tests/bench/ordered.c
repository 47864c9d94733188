/* For tests/bench/ordered.sh: factorization over generated ratings, sorted by user and item. Prints
 * the seconds per pass of some passes in a row, several times; the first time is left out.
 * UNORDERED: with leave to take them in any order. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RANK = 32 };
struct rating {
    int user, item;
    float value;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static float *factors(long rows) {
    float *x = malloc((size_t)rows * RANK * sizeof *x);
    for (long i = 0; x && i < rows * RANK; ++i)
        x[i] = .01f * (float)((i * 7919) % 31);
    return x;
}

int main(int argc, char **argv) {
    long users = argc > 1 ? atol(argv[1]) : 20000, items = users / 4 + 1, n = 0;
    int passes = argc > 2 ? atoi(argv[2]) : 8, times = argc > 3 ? atoi(argv[3]) : 3;
    struct rating *r = malloc((size_t)users * 40 * sizeof *r);
    float *W = factors(users), *H = factors(items);
    unsigned s = 1;
    for (int u = 0; u < users; ++u)
        for (long i = 0, k = 0; k < 40; ++k) {
            s = s * 1664525u + 1013904223u;
            i += 1 + (long)((s >> 8) % (unsigned)(items / 21 + 1));
            if (i >= items)
                break;
            r[n++] = (struct rating){u, (int)i, (float)(s >> 30)};
        }
    for (int time = 0; time < times; ++time) {
        double start = now();
        for (int pass = 0; pass < passes; ++pass) {
#ifdef UNORDERED
#pragma orrery parallel unordered
#else
#pragma orrery parallel
#endif
            for (long j = 0; j < n; ++j) {
                float *w = W + (long)r[j].user * RANK, *h = H + (long)r[j].item * RANK;
                float e = r[j].value;
                for (int k = 0; k < RANK; ++k)
                    e -= w[k] * h[k];
                for (int k = 0; k < RANK; ++k) {
                    float before = w[k];
                    w[k] += .002f * (e * h[k] - .02f * before);
                    h[k] += .002f * (e * before - .02f * h[k]);
                }
            }
        }
        if (time > 0)
            printf("%.6f\n", (now() - start) / passes);
    }
    free(r), free(W), free(H);
    return 0;
}
