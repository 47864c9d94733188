/* Skip-gram pairs pull the two rows of one embedding table together: both ends of an edge.
 * loop: parallel tournament
 * result: near 0.1
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define DIM 6

struct pair { int center, context; };

int main(void) {
    int V = 60, n = 500;
    float (*emb)[DIM] = malloc(V * sizeof *emb);
    struct pair *e = malloc(n * sizeof *e);
    for (int i = 0; i < V; i++)
        for (int k = 0; k < DIM; k++)
            emb[i][k] = (float)sin(i * 0.7 + k);
    for (int i = 0; i < n; i++) {
        e[i].center = (i * 19) % V;
        e[i].context = (e[i].center + 1 + i % 5) % V;
    }
    for (int ep = 0; ep < 3; ep++) {
        double loss = 0;
#pragma orrery parallel unordered
        for (int i = 0; i < n; i++) {
            float *a = emb[e[i].center], *b = emb[e[i].context], dot = 0;
            for (int k = 0; k < DIM; k++) dot += a[k] * b[k];
            float g = 1 / (1 + expf(dot));
            loss += g;
            for (int k = 0; k < DIM; k++) {
                float t = a[k];
                a[k] += 0.02f * g * b[k];
                b[k] += 0.02f * g * t;
            }
        }
        printf("%.3f\n", loss / n);
    }
    return 0;
}
