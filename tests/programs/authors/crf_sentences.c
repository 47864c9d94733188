/*
 * A conditional random field: forward and backward in memory that each sentence allocates.
 * loop: parallel reduction
 * ranks: 2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
enum { L = 4, FE = 30 };
typedef struct {
    int len;
    int *feat, *tag;
} Sent;
static double w[FE][L], tr[L][L];
static double lse(const double *v, int n) {
    double m = v[0], s = 0;
    for (int i = 1; i < n; i++)
        if (v[i] > m)
            m = v[i];
    for (int i = 0; i < n; i++)
        s += exp(v[i] - m);
    return m + log(s);
}
int main(void) {
    int n = 80;
    Sent *S = malloc(n * sizeof *S);
    srand(5);
    for (int i = 0; i < n; i++) {
        S[i].len = 5 + rand() % 8;
        S[i].feat = malloc(S[i].len * sizeof(int));
        S[i].tag = malloc(S[i].len * sizeof(int));
        for (int t = 0; t < S[i].len; t++) {
            S[i].tag[t] = rand() % L;
            S[i].feat[t] = (S[i].tag[t] * 7 + rand() % 4) % FE;
        }
    }
    for (int e = 0; e < 4; e++) {
        static double gw[FE][L], gt[L][L];
        double ll = 0;
        for (int f = 0; f < FE; f++)
            for (int y = 0; y < L; y++)
                gw[f][y] = 0;
        for (int a = 0; a < L; a++)
            for (int b = 0; b < L; b++)
                gt[a][b] = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            const Sent *s = &S[i];
            int T = s->len;
            double(*al)[L] = malloc(T * sizeof *al), (*be)[L] = malloc(T * sizeof *be), v[L];
            for (int y = 0; y < L; y++) {
                al[0][y] = w[s->feat[0]][y];
                be[T - 1][y] = 0;
            }
            for (int t = 1; t < T; t++)
                for (int y = 0; y < L; y++) {
                    for (int k = 0; k < L; k++)
                        v[k] = al[t - 1][k] + tr[k][y];
                    al[t][y] = lse(v, L) + w[s->feat[t]][y];
                }
            for (int t = T - 2; t >= 0; t--)
                for (int y = 0; y < L; y++) {
                    for (int k = 0; k < L; k++)
                        v[k] = be[t + 1][k] + tr[y][k] + w[s->feat[t + 1]][k];
                    be[t][y] = lse(v, L);
                }
            double Z = lse(al[T - 1], L);
            for (int t = 0; t < T; t++) {
                gw[s->feat[t]][s->tag[t]] += 1;
                ll += w[s->feat[t]][s->tag[t]];
                for (int y = 0; y < L; y++)
                    gw[s->feat[t]][y] -= exp(al[t][y] + be[t][y] - Z);
                if (t) {
                    gt[s->tag[t - 1]][s->tag[t]] += 1;
                    ll += tr[s->tag[t - 1]][s->tag[t]];
                }
            }
            ll -= Z;
            free(al);
            free(be);
        }
        for (int f = 0; f < FE; f++)
            for (int y = 0; y < L; y++)
                w[f][y] += .05 * gw[f][y];
        for (int a = 0; a < L; a++)
            for (int b = 0; b < L; b++)
                tr[a][b] += .05 * gt[a][b];
        printf("%d %.7g\n", e, ll);
    }
}
