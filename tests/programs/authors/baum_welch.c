/*
 * Baum-Welch over sequences of unlike lengths: tables of the file, which three functions fill and read.
 * loop: parallel reduction
 * ranks: 2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define S 4
#define O 6
#define MAXT 60
typedef struct {
    int T;
    int obs[MAXT];
} Seq;
static double A[S][S], B[S][O], PI[S];
static double alpha[MAXT][S], beta[MAXT][S], scale[MAXT];
static double numA[S][S], denA[S], numB[S][O], denB[S], accPI[S];
static double forward(const Seq *q) {
    double ll = 0;
    for (int t = 0; t < q->T; t++) {
        scale[t] = 0;
        for (int j = 0; j < S; j++) {
            double s = 0;
            if (t == 0)
                s = PI[j];
            else
                for (int i = 0; i < S; i++)
                    s += alpha[t - 1][i] * A[i][j];
            alpha[t][j] = s * B[j][q->obs[t]];
            scale[t] += alpha[t][j];
        }
        for (int j = 0; j < S; j++)
            alpha[t][j] /= scale[t];
        ll += log(scale[t]);
    }
    return ll;
}
static void backward(const Seq *q) {
    for (int j = 0; j < S; j++)
        beta[q->T - 1][j] = 1;
    for (int t = q->T - 2; t >= 0; t--)
        for (int i = 0; i < S; i++) {
            beta[t][i] = 0;
            for (int j = 0; j < S; j++)
                beta[t][i] += A[i][j] * B[j][q->obs[t + 1]] * beta[t + 1][j];
            beta[t][i] /= scale[t + 1];
        }
}
static void accumulate(const Seq *q) {
    for (int t = 0; t < q->T; t++)
        for (int i = 0; i < S; i++) {
            double g = alpha[t][i] * beta[t][i];
            if (t == 0)
                accPI[i] += g;
            numB[i][q->obs[t]] += g;
            denB[i] += g;
            if (t < q->T - 1) {
                denA[i] += g;
                for (int j = 0; j < S; j++)
                    numA[i][j] +=
                        alpha[t][i] * A[i][j] * B[j][q->obs[t + 1]] * beta[t + 1][j] / scale[t + 1];
            }
        }
}
int main(void) {
    int n = 200;
    Seq *data = malloc(n * sizeof(Seq));
    srand(3);
    for (int k = 0; k < n; k++) {
        data[k].T = 20 + rand() % 40;
        for (int t = 0; t < data[k].T; t++)
            data[k].obs[t] = (rand() % 3) * (t / 10 % 2 + 1) % O;
    }
    for (int i = 0; i < S; i++) {
        PI[i] = 1.0 / S;
        for (int j = 0; j < S; j++)
            A[i][j] = (i == j ? .7 : .1);
        for (int o = 0; o < O; o++)
            B[i][o] = (1 + (i + o) % 3) / 12.0;
    }
    for (int it = 0; it < 6; it++) {
        double ll = 0;
        memset(numA, 0, sizeof numA);
        memset(denA, 0, sizeof denA);
        memset(numB, 0, sizeof numB);
        memset(denB, 0, sizeof denB);
        memset(accPI, 0, sizeof accPI);
#pragma orrery parallel unordered
        for (int k = 0; k < n; k++) {
            ll += forward(&data[k]);
            backward(&data[k]);
            accumulate(&data[k]);
        }
        for (int i = 0; i < S; i++) {
            PI[i] = accPI[i] / n;
            for (int j = 0; j < S; j++)
                A[i][j] = numA[i][j] / denA[i];
            for (int o = 0; o < O; o++)
                B[i][o] = numB[i][o] / denB[i];
        }
        printf("iter %d ll %.5f\n", it, ll);
    }
    return 0;
}
