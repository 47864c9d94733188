/*
 * A Hopfield network: recalled patterns are written as bytes, with a line of text each.
 * loop: parallel independent
 * loop: parallel reduction
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 64
typedef signed char spin;
struct hop {
    float w[N][N];
    unsigned long trained;
};
static void store(struct hop *h, const spin *p) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++) {
            h->w[i][j] += (float)p[i] * p[j];
            h->w[j][i] = h->w[i][j];
        }
    h->trained++;
}
static int recall(const struct hop *h, spin *s) {
    int sweep, flips = 1;
    for (sweep = 0; flips && sweep < 20; sweep++) {
        flips = 0;
        for (int i = 0; i < N; i++) {
            float a = 0;
            for (int j = 0; j < N; j++)
                a += h->w[i][j] * s[j];
            spin n = a >= 0 ? 1 : -1;
            if (n != s[i]) {
                s[i] = n;
                flips++;
            }
        }
    }
    return sweep;
}
int main(void) {
    struct hop *h = calloc(1, sizeof *h);
    int m = 5, trials = 60;
    spin pat[5][N], (*probe)[N] = malloc(trials * sizeof *probe);
    int overlap[60], total = 0;
    for (int p = 0; p < m; p++)
        for (int i = 0; i < N; i++)
            pat[p][i] = (i * (p + 3) / 4 + p) % 2 ? 1 : -1;
    for (int p = 0; p < m; p++)
        store(h, pat[p]);
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            h->w[j][i] = h->w[i][j] = h->w[i][j] / N;
    for (int t = 0; t < trials; t++) {
        memcpy(probe[t], pat[t % m], N);
        for (int k = 0; k < t % 10; k++)
            probe[t][k * 7 % N] *= -1;
    }
#pragma orrery parallel
    for (int t = 0; t < trials; t++) {
        int sweeps = recall(h, probe[t]), o = 0;
        for (int i = 0; i < N; i++)
            o += probe[t][i] * pat[t % m][i];
        overlap[t] = o;
        total += sweeps;
        fprintf(stdout, "trial %d: %d sweeps\n", t, sweeps);
        fwrite(probe[t], sizeof probe[t][0], N, stdout);
    }
    for (int t = 0; t < trials; t++)
        printf("%d ", overlap[t]);
    printf("%lu %d\n", h->trained, total);
}
