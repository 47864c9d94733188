/* expect: serial ORR2104 12:28 `v[i - 1][m]` */
/* The first position of a row sets what the others use. */
enum { N = 100, M = 200 };
double v[N][M];
void sweep(void) {
    double t[4];
#pragma orrery parallel
    for (int i = 1; i < N; ++i)
        for (int j = 1; j < M; ++j) {
            if (j == 1)
                for (int m = 0; m < 4; ++m)
                    t[m] = v[i - 1][m];
            v[i][j] += .5 * v[i - 1][j] + .25 * v[i][j - 1] + t[j % 4];
        }
}
