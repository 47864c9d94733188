/* Factorization without leave to change the order, over ratings in any order: levels.
 * loop: parallel ordered-rotation
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

enum { USERS = 2000, ITEMS = 1500, RANK = 3, STEP = 151 };
struct rating { int user, item; float value; };
static float W[USERS][RANK], H[ITEMS][RANK];

int main(void) {
    struct rating *r = malloc(USERS * ITEMS * sizeof *r);
    long n = 0;
    for (int u = 0; u < USERS; u++)
        for (int i = u % STEP; i < ITEMS; i += 1 + (u * 31 + i * 17) % STEP)
            r[n++] = (struct rating){u, i, (float)((u * 13 + i * 29) % 5)};
    for (long a = n - 1, s = 12345; a > 0; a--) {
        s = (s * 1103515245 + 12345) & 0x7fffffff;
        long b = s % (a + 1);
        struct rating keep = r[a];
        r[a] = r[b], r[b] = keep;
    }
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
