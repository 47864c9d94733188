/* expect: parallel wavefront ordered
 * dims: t
 * carried w: t=+
 */
/* Loops inside of 25 steps, each of which has much to do. */
enum { N = 52, M = 400 };
double w[N][M];

void relax(int steps) {
#pragma orrery parallel
    for (int t = 0; t < steps; ++t) {
        for (int i = 1; i < N - 1; i += 2)
            for (int j = 1; j < M - 1; ++j)
                w[i][j] = .25 * (w[i - 1][j] + w[i + 1][j] + w[i][j - 1] + w[i][j + 1]);
        for (int i = 2; i < N - 1; i += 2)
            for (int j = 1; j < M - 1; ++j)
                w[i][j] = .25 * (w[i - 1][j] + w[i + 1][j] + w[i][j - 1] + w[i][j + 1]);
    }
}
