/* Factors by SGD, with the worst error of the pass, its place, and whether a value was not finite; ratings of few
 * values, so that many errors are equal in the first pass.
 * loop: parallel rotation-2d
 * result: near 0.05
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct rating { int user, item; float value; };

int main(void) {
    int users = 200, items = 90, nnz = 6000, k = 8, bad = 0;
    struct rating *r = malloc(nnz * sizeof *r), worst_rating = {0, 0, 0};
    float *W = malloc(users * k * sizeof *W), *H = malloc(items * k * sizeof *H);
    for (int n = 0; n < nnz; n++)
        r[n] = (struct rating){n * 7919 % users, n * 104729 % items, (float)(1 + n % 5)};
    for (int n = 0; n < users * k; n++) W[n] = n < k * users / 2 ? 0.0f : 0.1f;
    for (int n = 0; n < items * k; n++) H[n] = n < k * items / 2 ? 0.0f : 0.1f;
    for (int epoch = 0; epoch < 12; epoch++) {
        float worst = 0;
        int worst_at = -1;
        double loss = 0;
#pragma orrery parallel unordered
        for (int n = 0; n < nnz; n++) {
            float *w = W + r[n].user * k, *h = H + r[n].item * k, e = r[n].value;
            for (int j = 0; j < k; j++) e -= w[j] * h[j];
            if (fabsf(e) > worst) {
                worst = fabsf(e);
                worst_rating = r[n];
                worst_at = n;
            }
            if (!isfinite(e)) bad = 1;
            loss += e * e;
            for (int j = 0; j < k; j++) {
                float wj = w[j];
                w[j] += 0.02f * (e * h[j] + 0.01f);
                h[j] += 0.02f * (e * wj + 0.01f);
            }
        }
        if (worst_at < 0 || worst_rating.value != r[worst_at].value || worst_rating.user != r[worst_at].user) return 1;
        if (epoch == 11) printf("%.4f %d\n", sqrt(loss / nnz), bad);
    }
    return 0;
}
