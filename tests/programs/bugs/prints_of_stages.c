/* same: 1 */
/* An iteration prints twice, each time what another stage of the pipeline makes: in the order of the text. */
#include <stdio.h>

enum { N = 600, K = 32 };

static void train(int n, const int *restrict q, const double *restrict x, double *restrict w) {
    int right = 3;
    long seen = 100, sum = 100;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        double p = 0;
        for (int k = 0; k < K; k++)
            p += w[i * K + k] * x[i * K + k];
        right += q[i] > 0;
        for (int k = 0; k < (q[i] & 3); k++)
            seen = seen + 1;
        if (p > -5)
            sum += q[i];
        else
            sum++;
        for (int k = 0; k < K; k++)
            w[i * K + k] -= .001 * p * x[i * K + k];
        if (i % 2 == 0)
            printf("%ld %d\n", seen, sum > 3);
        if (right > 5) {
            printf("%d: %d %ld\n", i, right, sum);
            right = 0;
        }
    }
    printf("%d %ld %ld\n", right, seen, sum);
}

int main(void) {
    static int q[N];
    static double x[N * K], w[N * K];
    for (int i = 0; i < N; i++)
        q[i] = i * 7919 % 23 - 11;
    for (int i = 0; i < N * K; i++) {
        x[i] = (i * 53 % 97) / 5.0 - 4;
        w[i] = (i * 37 % 101) / 7.0 - 3;
    }
    train(N, q, x, w);
    return 0;
}
