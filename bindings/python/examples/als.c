/*
 * Factors of implicit feedback by alternating least squares (Hu, Koren, Volinsky, ICDM 2008), each
 * row by steps of conjugate gradients from where it was (Takács, Pilászy, Tikk, RecSys 2011).
 */
#ifndef K
#define K 64 /* factors */
#endif

/* G = Y'Y + lambda I. */
void gram(const float (*Y)[K], int rows, float lambda, float (*G)[K]) {
#pragma orrery parallel
    for (int a = 0; a < K; ++a) {
        float sum[K] = {0};
        for (int i = 0; i < rows; ++i)
            for (int b = 0; b < K; ++b)
                sum[b] += Y[i][a] * Y[i][b];
        for (int b = 0; b < K; ++b)
            G[a][b] = sum[b] + (a == b ? lambda : 0);
    }
}

static float dot(const float *a, const float *b) {
    float sum = 0;
    for (int k = 0; k < K; ++k)
        sum += a[k] * b[k];
    return sum;
}

/*
 * Rows X[u] for what u has seen: item[begin[u]] to item[begin[u + 1] - 1], with confidence
 * weight[...] >= 1.
 */
void solve(const int *begin, const int *item, const float *weight, int rows, const float (*G)[K],
           const float (*Y)[K], float (*X)[K], int steps) {
#pragma orrery parallel
    for (int u = 0; u < rows; ++u) {
        float r[K], p[K], Ap[K], rs = 0;
        for (int a = 0; a < K; ++a)
            r[a] = -dot(G[a], X[u]);
        for (int at = begin[u]; at < begin[u + 1]; ++at) {
            const float *y = Y[item[at]];
            float by = weight[at] - (weight[at] - 1) * dot(y, X[u]);
            for (int k = 0; k < K; ++k)
                r[k] += by * y[k];
        }
        for (int k = 0; k < K; ++k)
            p[k] = r[k];
        rs = dot(r, r);
        for (int step = 0; step < steps && rs > 1e-20f; ++step) {
            for (int a = 0; a < K; ++a)
                Ap[a] = dot(G[a], p);
            for (int at = begin[u]; at < begin[u + 1]; ++at) {
                const float *y = Y[item[at]];
                float by = (weight[at] - 1) * dot(y, p);
                for (int k = 0; k < K; ++k)
                    Ap[k] += by * y[k];
            }
            float along = rs / dot(p, Ap), before = rs;
            for (int k = 0; k < K; ++k) {
                X[u][k] += along * p[k];
                r[k] -= along * Ap[k];
            }
            rs = dot(r, r);
            for (int k = 0; k < K; ++k)
                p[k] = r[k] + rs / before * p[k];
        }
    }
}
