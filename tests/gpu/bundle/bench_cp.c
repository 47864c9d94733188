/*
 * CP decomposition of a generated tensor by stochastic gradient descent: a rotation of three keys.
 * usage: bench_cp CELLS PASSES [COPY_GB_PER_S]
 */
#include "generate.h"

enum { K = 32 };

struct cell {
    int i, j, l;
    float value;
};

int main(int argc, char **argv) {
    long count = argc > 1 ? atol(argv[1]) : 100000;
    int passes = argc > 2 ? atoi(argv[2]) : 1, big = count >= 1000000;
    double copy = argc > 3 ? atof(argv[3]) : 0, best = INFINITY;
    int I = big ? 200000 : 300, J = big ? 20000 : 100, L = big ? 2000 : 60;
    float rate = .005f, lambda = .01f;
    struct cell *x = make((size_t)count, sizeof *x);
    float *A = make((size_t)I * K, sizeof *A), *B = make((size_t)J * K, sizeof *B);
    float *C = make((size_t)L * K, sizeof *C);
    for (long n = 0; n < count; ++n)
        x[n] = (struct cell){draw((uint64_t)n * 4, I), draw((uint64_t)n * 4 + 1, J),
                             draw((uint64_t)n * 4 + 2, L), (float)uniform((uint64_t)n * 4 + 3)};
    for (long i = 0; i < (long)I * K; ++i)
        A[i] = (float)uniform((uint64_t)i);
    for (long i = 0; i < (long)J * K; ++i)
        B[i] = (float)uniform((uint64_t)i * 3);
    for (long i = 0; i < (long)L * K; ++i)
        C[i] = (float)uniform((uint64_t)i * 5) / K;
    for (int pass = 0; pass < passes; ++pass) {
        double loss = 0, start = now();
#pragma orrery parallel unordered
        for (long n = 0; n < count; ++n) {
            float *a = A + (size_t)x[n].i * K, *b = B + (size_t)x[n].j * K;
            float *c = C + (size_t)x[n].l * K, e = x[n].value;
            for (int k = 0; k < K; ++k)
                e -= a[k] * b[k] * c[k];
            loss += e * e;
            for (int k = 0; k < K; ++k) {
                float ga = e * b[k] * c[k] - lambda * a[k], gb = e * a[k] * c[k] - lambda * b[k];
                float gc = e * a[k] * b[k] - lambda * c[k];
                a[k] += rate * ga;
                b[k] += rate * gb;
                c[k] += rate * gc;
            }
        }
        double seconds = now() - start;
        best = seconds < best ? seconds : best;
        printf("cp pass %d rmse %.4f seconds %.4f\n", pass + 1, sqrt(loss / (double)count),
               seconds);
    }
    report("cp rank 32", "updates", (double)count, best, (double)count * (24.0 * K + 16), copy);
    free(x), free(A), free(B), free(C);
    return 0;
}
