/* Expected counts of a hidden Markov model: forward and backward over each sequence, sums over all of them.
 * loop: parallel reduction
 * result: near 1e-9
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define S 3
#define O 5
#define MAXLEN 20

typedef struct { double pi[S], a[S][S], b[S][O]; } hmm;
typedef struct { double pi[S], a[S][S], b[S][O]; } counts;
typedef struct { int len; unsigned char sym[MAXLEN]; } seq;

static double accumulate(const hmm *m, const seq *s, int n, counts *c) {
    double ll = 0;
    #pragma orrery parallel unordered
    for (int q = 0; q < n; q++) {
        double al[MAXLEN][S], be[MAXLEN][S], z = 0;
        int T = s[q].len;
        const unsigned char *o = s[q].sym;
        for (int i = 0; i < S; i++) al[0][i] = m->pi[i] * m->b[i][o[0]], be[T - 1][i] = 1;
        for (int t = 1; t < T; t++)
            for (int j = 0; j < S; j++) {
                al[t][j] = 0;
                for (int i = 0; i < S; i++) al[t][j] += al[t - 1][i] * m->a[i][j];
                al[t][j] *= m->b[j][o[t]];
            }
        for (int t = T - 2; t >= 0; t--)
            for (int i = 0; i < S; i++) {
                be[t][i] = 0;
                for (int j = 0; j < S; j++) be[t][i] += m->a[i][j] * m->b[j][o[t + 1]] * be[t + 1][j];
            }
        for (int i = 0; i < S; i++) z += al[T - 1][i];
        ll += log(z);
        for (int t = 0; t < T; t++)
            for (int i = 0; i < S; i++) {
                double g = al[t][i] * be[t][i] / z;
                if (t == 0) c->pi[i] += g;
                c->b[i][o[t]] += g;
                if (t + 1 < T)
                    for (int j = 0; j < S; j++)
                        c->a[i][j] += al[t][i] * m->a[i][j] * m->b[j][o[t + 1]] * be[t + 1][j] / z;
            }
    }
    return ll;
}

int main(void) {
    int n = 40;
    seq *s = malloc(n * sizeof *s);
    hmm m;
    counts *c = malloc(sizeof *c);
    for (int q = 0; q < n; q++) {
        s[q].len = 5 + q % (MAXLEN - 5);
        for (int t = 0; t < s[q].len; t++) s[q].sym[t] = (unsigned char)((q + t * t) % O);
    }
    for (int i = 0; i < S; i++) {
        m.pi[i] = 1.0 / S;
        for (int j = 0; j < S; j++) m.a[i][j] = (i == j ? 2.0 : 1.0) / (S + 1);
        for (int k = 0; k < O; k++) m.b[i][k] = (1 + (i + k) % 3) / 9.0;
    }
    for (int it = 0; it < 3; it++) {
        memset(c, 0, sizeof *c);
        printf("%.10f\n", accumulate(&m, s, n, c));
        for (int i = 0; i < S; i++) {
            double za = 0, zb = 0;
            m.pi[i] = c->pi[i] / n;
            for (int j = 0; j < S; j++) za += c->a[i][j];
            for (int k = 0; k < O; k++) zb += c->b[i][k];
            for (int j = 0; j < S; j++) m.a[i][j] = c->a[i][j] / za;
            for (int k = 0; k < O; k++) m.b[i][k] = c->b[i][k] / zb;
        }
    }
    return 0;
}
