/*
 * Bayesian personalized ranking: a hash gives items until one is not in the user's sorted list, which a function halves.
 * loop: parallel levels
 * ranks: 2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define F 16

struct csr {
    int rows;
    int *start, *col;
};

static int has(const struct csr *m, int u, int i) {
    int lo = m->start[u], hi = m->start[u + 1];
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (m->col[mid] == i)
            return 1;
        if (m->col[mid] < i)
            lo = mid + 1;
        else
            hi = mid;
    }
    return 0;
}

static unsigned hash32(unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    x ^= x >> 16;
    return x;
}

int main(void) {
    int users = 150, items = 400, per = 12;
    struct csr m;
    m.rows = users;
    m.start = malloc((users + 1) * sizeof(int));
    m.col = malloc(users * per * sizeof(int));
    srand(11);
    for (int u = 0; u <= users; u++)
        m.start[u] = u * per;
    for (int u = 0; u < users; u++) {
        int at = rand() % 40;
        for (int p = 0; p < per; p++) {
            m.col[u * per + p] = at;
            at += 1 + rand() % 25;
        }
    }
    int n = users * per;
    int *uu = malloc(n * sizeof(int)), *ii = malloc(n * sizeof(int));
    for (int u = 0, t = 0; u < users; u++)
        for (int p = m.start[u]; p < m.start[u + 1]; p++, t++) {
            uu[t] = u;
            ii[t] = m.col[p];
        }
    float *U = malloc(sizeof(float) * users * F), *V = malloc(sizeof(float) * items * F);
    for (int k = 0; k < users * F; k++)
        U[k] = (rand() / (float)RAND_MAX - .5f) * .2f;
    for (int k = 0; k < items * F; k++)
        V[k] = (rand() / (float)RAND_MAX - .5f) * .2f;
    int j;
    for (int epoch = 0; epoch < 4; epoch++) {
        double auc = 0;
#pragma orrery parallel
        for (int t = 0; t < n; t++) {
            int u = uu[t], i = ii[t];
            unsigned seed = hash32(epoch * n + t);
            j = seed % items;
            while (has(&m, u, j)) {
                seed = hash32(seed);
                j = seed % items;
            }
            float *pu = U + u * F, *qi = V + i * F, *qj = V + j * F;
            float x = 0;
            for (int k = 0; k < F; k++)
                x += pu[k] * (qi[k] - qj[k]);
            auc += x > 0;
            float g = 1.f / (1.f + expf(x));
            for (int k = 0; k < F; k++) {
                float a = pu[k], b = qi[k], c = qj[k];
                pu[k] += .1f * (g * (b - c) - .01f * a);
                qi[k] += .1f * (g * a - .01f * b);
                qj[k] += .1f * (-g * a - .01f * c);
            }
        }
        printf("%d %.4f\n", epoch, auc / n);
    }
    return 0;
}
