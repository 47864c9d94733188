/* Factorization without leave to change the order, over ratings that stand user by user, items rising: the wave.
 * loop: parallel ordered-rotation
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

enum { USERS = 300, ITEMS = 170, RANK = 5, STEP = 7 };
struct rating { int user, item; float value; };
static float W[USERS][RANK], H[ITEMS][RANK];

int main(void) {
    struct rating *r = malloc(USERS * ITEMS * sizeof *r);
    long n = 0;
    for (int u = 0; u < USERS; u++)
        for (int i = u % STEP; i < ITEMS; i += 1 + (u * 31 + i * 17) % STEP)
            r[n++] = (struct rating){u, i, (float)((u * 13 + i * 29) % 5)};

    for (int k = 0; k < RANK; k++) {
        for (int u = 0; u < USERS; u++) W[u][k] = 0.1f * (float)((u + k) % 9);
        for (int i = 0; i < ITEMS; i++) H[i][k] = 0.1f * (float)((i * 3 + k) % 7);
    }
    for (int epoch = 0; epoch < 4; epoch++) {
        #pragma orrery parallel
        for (long j = 0; j < n; j++) {
            float *w = W[r[j].user], *h = H[r[j].item], e = r[j].value;
            for (int k = 0; k < RANK; k++) e -= w[k] * h[k];
            for (int k = 0; k < RANK; k++) {
                float before = w[k];
                w[k] += 0.01f * (e * h[k] - 0.02f * before);
                h[k] += 0.01f * (e * before - 0.02f * h[k]);
            }
        }
    }
    for (int u = 0; u < USERS; u += 23) printf("%.9g ", W[u][u % RANK]);
    for (int i = 0; i < ITEMS; i += 19) printf("%.9g ", H[i][i % RANK]);
    printf("\n");
    free(r);
    return 0;
}
