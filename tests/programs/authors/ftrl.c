/*
 * FTRL-proximal over hashed features, weights as structures.
 * loop: serial ORR2111
 * says: to keep the serial result, leave out `unordered`
 * edit: orrery parallel unordered => orrery parallel
 * then: parallel levels
 * ranks: 2
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define D (1 << 12)
typedef struct {
    float z, n;
} ftrl_w;
typedef struct {
    int y;
    int nnz;
    uint32_t idx[10];
} sample_t;
static ftrl_w w[D];
static const float alpha = .1f, beta = 1.f, L1 = .1f, L2 = 1.f;
static float weight(uint32_t i) {
    float sign = w[i].z < 0 ? -1.f : 1.f;
    if (sign * w[i].z <= L1)
        return 0;
    return (sign * L1 - w[i].z) / ((beta + sqrtf(w[i].n)) / alpha + L2);
}
static float predict(const sample_t *s) {
    float wTx = 0;
    for (int i = 0; i < s->nnz; i++)
        wTx += weight(s->idx[i]);
    if (wTx > 35)
        wTx = 35;
    if (wTx < -35)
        wTx = -35;
    return 1.f / (1.f + expf(-wTx));
}
static void update(const sample_t *s, float p) {
    float g = p - s->y;
    for (int i = 0; i < s->nnz; i++) {
        ftrl_w *f = &w[s->idx[i]];
        float sigma = (sqrtf(f->n + g * g) - sqrtf(f->n)) / alpha;
        f->z += g - sigma * weight(s->idx[i]);
        f->n += g * g;
    }
}
static float logloss(float p, int y) {
    p = fmaxf(fminf(p, 1 - 1e-7f), 1e-7f);
    return y ? -logf(p) : -logf(1 - p);
}
int main(void) {
    int n = 5000;
    sample_t *data = malloc(n * sizeof *data);
    srand(17);
    for (int t = 0; t < n; t++) {
        data[t].nnz = 5 + rand() % 6;
        int s = 0;
        for (int i = 0; i < data[t].nnz; i++) {
            data[t].idx[i] = (rand() * 2654435761u) % D;
            s += data[t].idx[i] & 1;
        }
        data[t].y = s > data[t].nnz / 2;
    }
    for (int e = 0; e < 3; e++) {
        double loss = 0;
#pragma orrery parallel unordered
        for (int t = 0; t < n; t++) {
            float p = predict(&data[t]);
            loss += logloss(p, data[t].y);
            update(&data[t], p);
        }
        printf("epoch %d %f\n", e, loss / n);
    }
    return 0;
}
