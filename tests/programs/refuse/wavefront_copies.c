/* expect: serial ORR2470 10:29 `v[i - 1][j]` */
/* An array that one position hands on to the next is no worker's own. */
enum { N = 100, M = 200 };
double v[N][M];
void sweep(void) {
    double t[4];
#pragma orrery parallel
    for (int i = 1; i < N; ++i) {
        for (int j = 1; j < M; ++j)
            v[i][j] += .5 * v[i - 1][j] + .25 * v[i][j - 1];
        for (int m = 0; m < 4; ++m)
            t[m] = v[i][m];
        for (int j = 1; j < M; ++j)
            v[i][j] += t[j % 4];
    }
}
