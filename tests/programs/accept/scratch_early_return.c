/* expect: parallel independent ordered */
/* private: M */
/* guards: some */
/* all of it is set in every iteration, whatever a called function does with it then */
#include <string.h>

static int factor(double *M, int K) {
    for (int i = 0; i < K; i++) {
        for (int j = 0; j < i; j++)
            M[i * K + i] -= M[i * K + j] * M[j * K + j];
        if (M[i * K + i] <= 0)
            return 0;
    }
    return 1;
}

void half(int users, int K, const int *restrict first, const int *restrict item,
          const float *restrict F, double *restrict M, float *restrict G) {
#pragma orrery parallel
    for (int u = 0; u < users; u++) {
        memset(M, 0, K * K * sizeof *M);
        for (int p = first[u]; p < first[u + 1]; p++) {
            const float *f = F + (long)item[p] * K;
            for (int i = 0; i < K; i++)
                for (int j = 0; j < K; j++)
                    M[i * K + j] += f[i] * f[j];
        }
        if (!factor(M, K))
            continue;
        for (int i = 0; i < K; i++)
            G[(long)u * K + i] = M[i * K + i];
    }
}
