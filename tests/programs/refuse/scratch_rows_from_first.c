/* expect: serial ORR2112 19:30 `beta[t + 1][j]` */
/* the first round reads what the iteration before left behind it; only that of the last one is never read */
enum { S = 4, MOST = 60 };
struct sequence {
    int length, seen[MOST];
};
double backward(long n, const struct sequence *restrict data, const double (*restrict from)[S]) {
    double beta[MOST][S], total = 0;
    for (int t = 0; t < MOST; ++t)
        for (int i = 0; i < S; ++i)
            beta[t][i] = 1;
#pragma orrery parallel unordered
    for (long k = 0; k < n; ++k) {
        for (int t = 0; t < data[k].length; ++t)
            for (int i = 0; i < S; ++i) {
                double s = 0;
                for (int j = 0; j < S; ++j)
                    if (t != data[k].length - 1)
                        s += beta[t + 1][j] * from[i][j];
                beta[t][i] = s + 1;
            }
        for (int j = 0; j < S; ++j)
            total += beta[data[k].length - 1][j];
    }
    return total;
}
