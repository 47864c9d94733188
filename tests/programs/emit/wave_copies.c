/* emit: 5 */
/* Sweeps whose iterations have small arrays for themselves; conditionals of the preprocessor stand in
 * front of what is cut, and across the border of a body. */
#include <stdio.h>

enum { N = 70, M = 90 };
static double v[N + 1][M + 1][3], d[N + 1][M + 1][3][3];
int flag[N + 1];

static void lower(int ist, int iend, int jst, int jend) {
    int i, j, m;
    double tmp, t[3][3];
#pragma orrery parallel
    for (i = ist; i <= iend; i++) {
#if defined(_OPENMP)
        if (i != ist)
            while (flag[i - 1] == 0) {
#pragma omp flush(flag)
            }
#endif /* _OPENMP */
        for (j = jst; j <= jend; j++) {
            for (m = 0; m < 3; m++)
                v[i][j][m] -= .1 * (d[i][j][m][0] * v[i - 1][j][m] + d[i][j][m][1] * v[i][j - 1][m]);
            for (m = 0; m < 3; m++) {
                t[m][0] = d[i][j][m][0];
                t[m][1] = d[i][j][m][1];
                t[m][2] = d[i][j][m][2];
            }
            tmp = t[1][0] / t[0][0];
            t[1][1] -= tmp * t[0][1];
            t[1][2] -= tmp * t[0][2];
            v[i][j][1] -= v[i][j][0] * tmp;
            v[i][j][2] = (v[i][j][2] - t[1][2] * v[i][j][1]) / t[1][1];
        }
#ifdef _OPENMP
        flag[i] = 1;
#endif
    }
}

/* The array belongs to one of two loops, and its last values are of no use. */
static void upper(int ist, int iend, int jst, int jend) {
    double t[3];
#pragma orrery parallel
    for (int i = iend; i >= ist; i--) {
        for (int j = jend; j >= jst; j--) {
            for (int m = 0; m < 3; m++)
                t[m] = v[i][j][m] - .2 * v[i + 1][j][m] * d[i][j][m][0];
            for (int m = 0; m < 3; m++)
                v[i][j][m] = t[m] - .1 * t[(m + 1) % 3] - .05 * v[i][j + 1][m];
        }
        for (int j = jend; j >= jst; j--)
            v[i][j][0] -= .01 * v[i + 1][j][1];
    }
}

static void set(int ist, int iend) {
#pragma orrery parallel
#if defined(_OPENMP)
    for (int i = iend; i >= ist; i--) {
        for (int j = M; j >= 0; j--) {
#else /* upwards,
       * as is written */
    for (int i = ist; i <= iend; i++) {
        for (int j = 0; j <= M; j++) {
#endif
            for (int m = 0; m < 9; m++)
                d[i][j][m / 3][m % 3] = (i * 7 + j * 5 + m * 11) % 13 / 17. + (m % 4 == 0) * 3;
        }
    }
}

static void start(int ist, int iend) {
#ifdef M_IS_LARGE
#pragma orrery parallel
    for (int i = ist; i <= iend; i += 2)
#else
#pragma orrery parallel
    for (int i = ist; i <= iend; i++)
#endif
        for (int j = 0; j <= M; j++)
            for (int m = 0; m < 3; m++)
                v[i][j][m] = (i * 3 + j * 13 + m) % 19 / 3.;
}

/* The directive is not there. */
static void again(int ist, int iend) {
#pragma orrery parallel
    for (int i = ist; i <= iend; i++) {
#ifdef _OPENMP
#pragma omp simd
#endif
        for (int j = 1; j <= M; j++)
            v[i][j][2] += .5 * v[i - 1][j][2] + .25 * v[i][j - 1][2];
    }
}

int main(void) {
    set(0, N);
    start(0, N);
    for (int round = 0; round < 3; ++round) {
        lower(1, N - 1, 1, M - 1);
        upper(1, N - 1, 1, M - 1);
        again(1, N);
    }
    double sum = 0;
    for (int i = 0; i <= N; ++i)
        for (int j = 0; j <= M; ++j)
            for (int m = 0; m < 3; ++m)
                sum = sum * .99 + v[i][j][m];
    printf("%.17g %.17g\n", sum, v[N / 2][M / 3][1]);
    return 0;
}
