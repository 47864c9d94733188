/*
 * Baum-Welch with scratch space outside of the loop, whose first row is set under a condition of the step.
 * loop: serial ORR2231
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { S = 3, V = 5, T = 20, Q = 60 };
static double A[S][S], B[S][V], pi[S];
static int obs[Q][T];
static double alpha[T][S], beta[T][S], scale[T];
int main(void) {
    srand(2);
    for (int i = 0; i < S; i++) {
        pi[i] = 1.0 / S;
        for (int j = 0; j < S; j++)
            A[i][j] = (1 + (i == j)) / (S + 1.0);
        for (int v = 0; v < V; v++)
            B[i][v] = (1 + (v % S == i)) / (V + (i < 2 ? 2.0 : 1.0));
    }
    for (int q = 0; q < Q; q++)
        for (int t = 0; t < T; t++)
            obs[q][t] = (rand() % 7) % V;
    for (int iter = 0; iter < 5; iter++) {
        double nA[S][S], nB[S][V], ll = 0, dA[S], dB[S];
        memset(nA, 0, sizeof nA);
        memset(nB, 0, sizeof nB);
        memset(dA, 0, sizeof dA);
        memset(dB, 0, sizeof dB);
#pragma orrery parallel
        for (int q = 0; q < Q; q++) {
            int *o = obs[q];
            for (int t = 0; t < T; t++) {
                scale[t] = 0;
                for (int j = 0; j < S; j++) {
                    if (t == 0)
                        alpha[0][j] = pi[j] * B[j][o[0]];
                    else {
                        double s = 0;
                        for (int i = 0; i < S; i++)
                            s += alpha[t - 1][i] * A[i][j];
                        alpha[t][j] = s * B[j][o[t]];
                    }
                    scale[t] += alpha[t][j];
                }
                for (int j = 0; j < S; j++)
                    alpha[t][j] /= scale[t];
                ll += log(scale[t]);
            }
            for (int i = 0; i < S; i++)
                beta[T - 1][i] = 1;
            for (int t = T - 2; t >= 0; t--)
                for (int i = 0; i < S; i++) {
                    double s = 0;
                    for (int j = 0; j < S; j++)
                        s += A[i][j] * B[j][o[t + 1]] * beta[t + 1][j];
                    beta[t][i] = s / scale[t + 1];
                }
            for (int t = 0; t < T; t++)
                for (int i = 0; i < S; i++) {
                    double g = alpha[t][i] * beta[t][i];
                    nB[i][o[t]] += g;
                    dB[i] += g;
                    if (t < T - 1) {
                        dA[i] += g;
                        for (int j = 0; j < S; j++)
                            nA[i][j] += alpha[t][i] * A[i][j] * B[j][o[t + 1]] * beta[t + 1][j] /
                                        scale[t + 1];
                    }
                }
        }
        for (int i = 0; i < S; i++) {
            for (int j = 0; j < S; j++)
                A[i][j] = nA[i][j] / dA[i];
            for (int v = 0; v < V; v++)
                B[i][v] = nB[i][v] / dB[i];
        }
        printf("%d %.8g\n", iter, ll);
    }
}
