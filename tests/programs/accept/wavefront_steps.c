/* expect: parallel wavefront ordered
 * dims: t
 * carried now: t=+
 * carried next: t=+
 */
/* Jacobi in time: what would be scratch space of a time step is cut like everything else. */
enum { N = 500 };
double now[N][N], next[N][N];

void steps(int count) {
#pragma orrery parallel
    for (int t = 0; t < count; ++t) {
        for (int i = 1; i < N - 1; ++i)
            for (int j = 1; j < N - 1; ++j)
                next[i][j] = .2 * (now[i][j] + now[i - 1][j] + now[i + 1][j] + now[i][j - 1] +
                                   now[i][j + 1]);
        for (int i = 1; i < N - 1; ++i)
            for (int j = 1; j < N - 1; ++j)
                now[i][j] = next[i][j];
    }
}
