/* SVD++: the implicit factors of all items that the user rated are updated with every rating.
 * loop: serial ORR2111
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define K 5
#define NUSER 20
#define NITEM 15
struct Rate { int u, i; double r; };
double p[NUSER][K], q[NITEM][K], y[NITEM][K], bu[NUSER], bi[NITEM];
int first[NUSER + 1], of[NUSER * 4];
struct Rate R[NUSER * 4];

int main(void) {
    int n = 0;
    for (int u = 0; u < NUSER; u++) {
        first[u] = n;
        for (int j = 0; j < 4; j++, n++) {
            of[n] = (u * 5 + j * 3) % NITEM;
            R[n] = (struct Rate){u, of[n], 1 + (u + j) % 5};
        }
    }
    first[NUSER] = n;
    for (int i = 0; i < NITEM; i++) for (int k = 0; k < K; k++) q[i][k] = 0.1 * cos(i + k), y[i][k] = 0.05 * sin(i * k);
    for (int u = 0; u < NUSER; u++) for (int k = 0; k < K; k++) p[u][k] = 0.1 * sin(u + 2 * k);
    for (int epoch = 0; epoch < 3; epoch++) {
        double se = 0;
#pragma orrery parallel unordered
        for (int t = 0; t < n; t++) {
            int u = R[t].u, i = R[t].i, c = first[u + 1] - first[u];
            double z[K], norm = c > 0 ? 1 / sqrt(c) : 0;
            for (int k = 0; k < K; k++) {
                z[k] = p[u][k];
                for (int j = first[u]; j < first[u + 1]; j++) z[k] += norm * y[of[j]][k];
            }
            double e = R[t].r - 3 - bu[u] - bi[i];
            for (int k = 0; k < K; k++) e -= z[k] * q[i][k];
            se += e * e;
            bu[u] += 0.01 * e;
            bi[i] += 0.01 * e;
            for (int k = 0; k < K; k++) {
                double qi = q[i][k];
                q[i][k] += 0.01 * e * z[k];
                p[u][k] += 0.01 * e * qi;
                for (int j = first[u]; j < first[u + 1]; j++) y[of[j]][k] += 0.01 * e * norm * qi;
            }
        }
        printf("%.6f\n", sqrt(se / n));
    }
    return 0;
}
