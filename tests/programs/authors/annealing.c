/*
 * Chains of simulated annealing, each with its own generator, that may print their progress.
 * loop: parallel reduction
 * ranks: 2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { C = 24, M = 12 };
static double dist[M][M];
static int tours[C][M];
static double lengths[C];
static double length(const int *t) {
    double s = 0;
    for (int i = 0; i < M; i++)
        s += dist[t[i]][t[(i + 1) % M]];
    return s;
}
static double rnd(unsigned long long *s) {
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return (*s >> 11) * (1.0 / 9007199254740992.0);
}
int main(int argc, char **argv) {
    int verbose = argc > 1, bestc = -1;
    double best = 1e30;
    int besttour[M];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            dist[i][j] = fabs(sin(i * 3.0 + j) + cos(j * 3.0 + i)) * (i != j);
#pragma orrery parallel
    for (int c = 0; c < C; c++) {
        unsigned long long seed = 88172645463325252ull + c * 7919;
        int t[M], s[M];
        for (int i = 0; i < M; i++)
            t[i] = i;
        double len = length(t), T = 2.0;
        int accepted = 0;
        while (T > .01) {
            memcpy(s, t, sizeof t);
            int a = rnd(&seed) * M, b = rnd(&seed) * M;
            int x = s[a];
            s[a] = s[b];
            s[b] = x;
            double l = length(s);
            if (l < len || rnd(&seed) < exp((len - l) / T)) {
                memcpy(t, s, sizeof t);
                len = l;
                accepted++;
            }
            T *= .995;
            if (verbose && accepted % 500 == 499)
                printf("chain %d T %.4f len %.6f\n", c, T, len);
        }
        memcpy(tours[c], t, sizeof t);
        lengths[c] = len;
        if (len < best) {
            best = len;
            bestc = c;
        }
    }
    memcpy(besttour, tours[bestc], sizeof besttour);
    printf("%d %.9g %d %d\n", bestc, best, besttour[0], besttour[5]);
}
