/* Nonnegative factors whose rows are kept with their sum in an extra column: T[i * (K + 1) + K].
 * loop: parallel partition-1d
 * loop: parallel independent
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

static int K = 5, DOCS = 30;
static double *T;

#define COL(i, k) T[(i) * (K + 1) + (k)]
#define SUM(i) T[(i) * (K + 1) + K]

int main(void) {
    int tokens = 400;
    int *doc = malloc(tokens * sizeof *doc), *topic = malloc(tokens * sizeof *topic);
    T = calloc((size_t)DOCS * (K + 1), sizeof *T);
    for (int i = 0; i < tokens; i++) doc[i] = i * 7 % DOCS, topic[i] = i % K;
    #pragma orrery parallel
    for (int i = 0; i < tokens; i++) {
        COL(doc[i], topic[i]) += 1;
        SUM(doc[i]) += 1;
        COL(doc[i], 0) = COL(doc[i], 0) * 0.5 + SUM(doc[i]) * 0.001;
    }
    #pragma orrery parallel
    for (int d = 0; d < DOCS; d++) {
        for (int k = 0; k < K; k++) COL(d, k) /= SUM(d);
        SUM(d) = 1;
    }
    for (int d = 0; d < DOCS; d += 7) printf("%.12f %.12f %.1f\n", COL(d, 0), COL(d, K - 1), SUM(d));
    return 0;
}
