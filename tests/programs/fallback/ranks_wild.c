/*
 * Pointers that a run does not use and that lead nowhere: ranks are not sent what lies behind them.
 * ranks: serially: the memory of to .*not all there
 * ranks: serially: the memory of from .*not all there
 */
#include <stdint.h>
#include <stdio.h>

enum { N = 4000 };
static double used[N], out[N];
static int flag[N];

__attribute__((noinline)) static void writes(int n, double *restrict to, const int *restrict on) {
    for (int i = 0; i < n; i++)
        if (on[i])
            to[i] = on[i] * 3 + i;
}

__attribute__((noinline)) static double least(int n, const int *restrict on,
                                              const double *restrict from) {
    double m = 60;
    for (int i = 0; i < n; i++)
        if (on[i]) {
            double v = from[i];
            if (v < m)
                m = v;
        }
    return m;
}

int main(void) {
    char *volatile nowhere[] = {(char *)(uintptr_t)0x4141410000000, (char *)(uintptr_t)16};
    for (int run = 0; run < 4; run++) {
        int on = run % 2;
        char *wild = nowhere[run / 2];
        for (int i = 0; i < N; i++) {
            used[i] = 3 + i * 7919 % 5003;
            flag[i] = on && i % 3 == 0 ? i % 60 + 1 : 0;
        }
        writes(N, on ? out : (double *)wild, flag);
        double m = least(N, flag, on ? used : (double *)wild);
        double s = 0;
        for (int i = 0; i < N; i++)
            s = s * .99 + out[i];
        printf("%.17g %.17g\n", m, s);
    }
    return 0;
}
