/* TransE: head and tail of a triple in one entity table, the relation in another.
 * loop: parallel tournament
 * result: near 0.05
 */
#include <stdio.h>
#include <stdlib.h>

struct triple { int h, r, t; };

int main(void) {
    enum { DIM = 5, ENT = 40, REL = 6, N = 300 };
    double (*ent)[DIM] = malloc(ENT * sizeof *ent), (*rel)[DIM] = malloc(REL * sizeof *rel);
    struct triple *x = malloc(N * sizeof *x);
    for (int i = 0; i < ENT; i++) for (int k = 0; k < DIM; k++) ent[i][k] = .1 * ((i * 3 + k) % 11);
    for (int i = 0; i < REL; i++) for (int k = 0; k < DIM; k++) rel[i][k] = .1 * ((i + k) % 5);
    for (int i = 0; i < N; i++) x[i] = (struct triple){i % ENT, i % REL, (i * 7 + 1) % ENT};
#pragma orrery parallel unordered
    for (int i = 0; i < N; i++)
        for (int k = 0; k < DIM; k++) {
            double d = ent[x[i].h][k] + rel[x[i].r][k] - ent[x[i].t][k];
            ent[x[i].h][k] -= .01 * d;
            rel[x[i].r][k] -= .01 * d;
            ent[x[i].t][k] += .01 * d;
        }
    printf("%.6f\n", ent[3][2]);
    return 0;
}
