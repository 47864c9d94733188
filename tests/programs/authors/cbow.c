/*
 * CBOW with negatives: static hidden and gradient arrays, and a rate by a step counter that passes go on with.
 * loop: parallel levels
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define DIM 12
#define V 90
#define N 3000
#define WIN 2
#define NEG 3
static double in[V][DIM], out[V][DIM];
static int text[N], negs[N][NEG];
static double hidden[DIM], grad[DIM];
int main(void) {
    for (int i = 0; i < N; i++) {
        text[i] = (i * i + i / 3) % V;
        for (int k = 0; k < NEG; k++)
            negs[i][k] = rand() % V;
    }
    for (int i = 0; i < V; i++)
        for (int k = 0; k < DIM; k++)
            in[i][k] = rand() / (double)RAND_MAX - .5;
    double lr0 = 0.05;
    long step = 0, total = 3L * N;
    for (int ep = 0; ep < 3; ep++) {
        double loss = 0;
#pragma orrery parallel
        for (int i = WIN; i < N - WIN; i++) {
            double lr = lr0 * (1.0 - (double)step / total);
            step++;
            for (int k = 0; k < DIM; k++) {
                hidden[k] = 0;
                grad[k] = 0;
            }
            for (int j = -WIN; j <= WIN; j++) {
                if (j == 0)
                    continue;
                int w = text[i + j];
                for (int k = 0; k < DIM; k++)
                    hidden[k] += in[w][k];
            }
            for (int k = 0; k < DIM; k++)
                hidden[k] /= 2 * WIN;
            for (int s = 0; s <= NEG; s++) {
                int t = s == 0 ? text[i] : negs[i][s - 1];
                double label = s == 0;
                double dot = 0;
                for (int k = 0; k < DIM; k++)
                    dot += hidden[k] * out[t][k];
                double p = 1 / (1 + exp(-dot));
                double g = lr * (label - p);
                loss -= s == 0 ? log(p + 1e-9) : log(1 - p + 1e-9);
                for (int k = 0; k < DIM; k++) {
                    grad[k] += g * out[t][k];
                    out[t][k] += g * hidden[k];
                }
            }
            for (int j = -WIN; j <= WIN; j++) {
                if (!j)
                    continue;
                int w = text[i + j];
                for (int k = 0; k < DIM; k++)
                    in[w][k] += grad[k];
            }
        }
        printf("%d %.6f\n", ep, loss);
    }
    return 0;
}
