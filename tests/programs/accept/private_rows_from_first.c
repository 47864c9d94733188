/* expect: parallel reduction */
/* reductions: + total */
/* private: alpha, beta */
/* every row but the first one is made of the row before, every row but the last of the row behind it */
enum { S = 4, MOST = 60 };
struct sequence {
    int length, seen[MOST];
};
double likelihood(long n, const struct sequence *restrict data, const double (*restrict from)[S],
                  const double (*restrict emits)[8]) {
    double alpha[MOST][S], beta[MOST][S], total = 0;
#pragma orrery parallel unordered
    for (long k = 0; k < n; ++k) {
        const struct sequence *q = &data[k];
        for (int t = 0; t < q->length; ++t)
            for (int j = 0; j < S; ++j) {
                double s = 0;
                if (t == 0)
                    s = 1;
                else
                    for (int i = 0; i < S; ++i)
                        s += alpha[t - 1][i] * from[i][j];
                alpha[t][j] = s * emits[j][q->seen[t]];
            }
        for (int t = q->length - 1; t >= 0; --t)
            for (int i = 0; i < S; ++i) {
                double s = 0;
                if (t != q->length - 1)
                    for (int j = 0; j < S; ++j)
                        s += beta[t + 1][j] * from[i][j];
                beta[t][i] = s + 1;
            }
        for (int j = 0; j < S; ++j)
            total += alpha[q->length - 1][j] * beta[q->length - 1][j];
    }
    return total;
}
