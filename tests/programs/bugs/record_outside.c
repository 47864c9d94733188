/* emit: 2 */
/* A record that is copied into a structure declared outside of the loop: what its members choose
 * was taken for unknown, since the loop writes the structure. */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int from, to;
    double x;
} record;

enum { N = 5000, U = 40, K = 4 };

static double train(double *restrict W, double *restrict H, const record *restrict all) {
    record r;
    double cost = 0, up[K], down[K];
#pragma orrery parallel
    for (long a = 0; a < N; a++) {
        r = all[a];
        if (r.x > 1)
            continue;
        long at = (long)r.from * K, to = (long)r.to * K;
        double e = -r.x;
        for (int k = 0; k < K; k++)
            e += W[at + k] * H[to + k];
        cost += e * e;
        for (int k = 0; k < K; k++) {
            up[k] = .01 * e * H[to + k];
            down[k] = .01 * e * W[at + k];
        }
        for (int k = 0; k < K; k++) {
            W[at + k] -= up[k];
            H[to + k] -= down[k];
        }
    }
    return cost;
}

static void spread(double *restrict W, const record *restrict all, const int *other) {
    record r;
#pragma orrery parallel
    for (long a = 0; a < N; a++) {
        r = all[a];
        if (r.x > .5)
            r = all[other[a]];
        W[a] += r.x;
    }
}

int main(void) {
    record *all = malloc(N * sizeof *all);
    double *W = malloc(sizeof *W * N), *H = malloc(sizeof *H * U * K), sum = 0;
    int *other = malloc(sizeof *other * N);
    for (int i = 0; i < N; i++) {
        all[i] = (record){i * 7 % U, i * i % U, i % 5 * .3};
        other[i] = i * 3 % N;
        W[i] = .01 * (i % 50);
    }
    for (int i = 0; i < U * K; i++)
        H[i] = .02 * (i % 30);
    double cost = train(W, H, all);
    spread(W, all, other);
    for (int i = 0; i < N; i++)
        sum += W[i];
    printf("%.3f %.1f\n", cost, sum);
    free(all), free(W), free(H), free(other);
    return 0;
}
