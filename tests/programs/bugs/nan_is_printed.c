/* same: 1 */
/* A loss that becomes no number is printed with its sign: what is taken from it was negated and added. */
#include <stdio.h>

enum { N = 400, K = 4 };

static double train(int n, const double *restrict y, const double *restrict x, double *restrict w) {
    double loss = 0;
    int right = 0;
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        double p = 0;
        for (int k = 0; k < K; ++k)
            p += w[i * K + k] * x[i * K + k];
        if (y[i] > 0)
            loss -= y[i] * p;
        else
            (loss) -= p;
        right += p > 0;
        for (int k = 0; k < K; ++k)
            w[i * K + k] -= .1 * p;
        if (i % 50 == 0)
            printf("%d %f %a %d\n", i, loss / (i + 1), loss, right);
    }
    return loss;
}

int main(void) {
    static double y[N], x[N * K], w[N * K];
    for (int i = 0; i < N; ++i)
        y[i] = i % 3 - 1;
    for (int i = 0; i < N * K; ++i) {
        x[i] = (i * 53 % 97) / 5.3 - 4;
        w[i] = (i * 37 % 101) / 7.0 - 3;
    }
    printf("%f\n", train(N, y, x, w));
    volatile double most = 1e308;
    w[200 * K] = most * 10;
    x[200 * K] = most * 0;
    printf("%f\n", train(N, y, x, w));
    printf("%a\n", train(0, y, x, w));
    return 0;
}
