/* k nearest neighbours: a sorted list of the best per query, in the body, then a vote into a table by query.
 * loop: parallel reduction
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

struct ex { float f[4]; int cls; };

static float dist(const struct ex *a, const struct ex *b) {
    float s = 0;
    for (int i = 0; i < 4; i++) { float d = a->f[i] - b->f[i]; s += d * d; }
    return s;
}

int main(void) {
    const int ntrain = 120, ntest = 60, k = 5;
    struct ex *train = malloc(ntrain * sizeof *train), *test = malloc(ntest * sizeof *test);
    int *pred = malloc(ntest * sizeof *pred), right = 0;
    for (int i = 0; i < ntrain; i++) { train[i].cls = i % 3; for (int j = 0; j < 4; j++) train[i].f[j] = (float)(i * (j + 7) % 19) + train[i].cls * 6; }
    for (int i = 0; i < ntest; i++) { test[i].cls = i % 3; for (int j = 0; j < 4; j++) test[i].f[j] = (float)(i * (j + 5) % 17) + test[i].cls * 6; }
#pragma orrery parallel
    for (int q = 0; q < ntest; q++) {
        float best[8];
        int who[8], votes[3] = {0, 0, 0};
        int have = 0;
        for (int t = 0; t < ntrain; t++) {
            float d = dist(&test[q], &train[t]);
            int at = have < k ? have++ : k;
            if (at == k && d >= best[k - 1]) continue;
            if (at == k) at = k - 1;
            while (at > 0 && best[at - 1] > d) { best[at] = best[at - 1]; who[at] = who[at - 1]; at--; }
            best[at] = d;
            who[at] = train[t].cls;
        }
        for (int i = 0; i < k; i++) votes[who[i]]++;
        pred[q] = votes[1] > votes[0] ? (votes[2] > votes[1] ? 2 : 1) : (votes[2] > votes[0] ? 2 : 0);
        right += pred[q] == test[q].cls;
    }
    for (int q = 0; q < ntest; q++) putchar('0' + pred[q]);
    printf("\n%d\n", right);
    return 0;
}
