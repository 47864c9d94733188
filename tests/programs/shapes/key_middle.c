/* The key stands in the middle of three subscripts: layers by unit by column; and last in a table of structs.
 * loop: parallel rotation-2d
 * result: near 0.05
 */
#include <stdio.h>
#include <stdlib.h>

#define L 2
#define U 30
#define C 20
#define K 3

static double A[L][U][K];
struct column { double b[C]; };
static struct column B[L * K];
static struct { unsigned char who, what; double y; } obs[400];

int main(void) {
    for (int l = 0; l < L; l++) for (int u = 0; u < U; u++) for (int k = 0; k < K; k++) A[l][u][k] = .5 + .01 * ((u + k) % 5);
    for (int m = 0; m < L * K; m++) for (int c = 0; c < C; c++) B[m].b[c] = .5 + .01 * ((m + c) % 6);
    for (int t = 0; t < 400; t++) obs[t].who = t * 7 % U, obs[t].what = (t * 3 + t / U) % C, obs[t].y = 1 + t % 4;
    for (int e = 0; e < 3; e++) {
        double sse = 0;
#pragma orrery parallel unordered
        for (int t = 0; t < 400; t++) {
            double err = obs[t].y;
            for (int l = 0; l < L; l++) for (int k = 0; k < K; k++) err -= A[l][obs[t].who][k] * B[l * K + k].b[obs[t].what];
            sse += err * err;
            for (int l = 0; l < L; l++)
                for (int k = 0; k < K; k++) {
                    double *a = &A[l][obs[t].who][k], *b = &B[l * K + k].b[obs[t].what], old = *a;
                    *a += .01 * err * *b;
                    *b += .01 * err * old;
                }
        }
        printf("%.4f\n", sse);
    }
    return 0;
}
