/*
 * Click prediction by FTRL-proximal over hashed fields; the loss so far each 1000 rows.
 * loop: parallel levels
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define FIELDS 10
#define BITS 16
#define DIM (1 << BITS)

typedef struct {
    float z, n;
} slot;

typedef struct {
    float alpha, beta, l1, l2;
    slot *slots;
} ftrl;

typedef struct {
    uint32_t f[FIELDS];
    unsigned char click;
} impression;

static uint32_t murmur(uint32_t h) {
    h ^= h >> 16;
    h *= 0x85ebca6b;
    h ^= h >> 13;
    h *= 0xc2b2ae35;
    h ^= h >> 16;
    return h;
}

static float weight(const ftrl *m, uint32_t i) {
    const slot *s = &m->slots[i];
    if (fabsf(s->z) <= m->l1)
        return 0.f;
    float sign = s->z < 0 ? -1.f : 1.f;
    return -(s->z - sign * m->l1) / ((m->beta + sqrtf(s->n)) / m->alpha + m->l2);
}

static float predict(const ftrl *m, const impression *x, float *w) {
    float t = 0;
    for (int f = 0; f < FIELDS; f++) {
        w[f] = weight(m, murmur(x->f[f] + f * 7919u) & (DIM - 1));
        t += w[f];
    }
    return 1.f / (1.f + expf(-fmaxf(fminf(t, 35.f), -35.f)));
}

static void train(ftrl *m, const impression *x, float p, const float *w) {
    float g = p - x->click;
    for (int f = 0; f < FIELDS; f++) {
        slot *s = &m->slots[murmur(x->f[f] + f * 7919u) & (DIM - 1)];
        float sigma = (sqrtf(s->n + g * g) - sqrtf(s->n)) / m->alpha;
        s->z += g - sigma * w[f];
        s->n += g * g;
    }
}

int main(void) {
    int n = 5000;
    impression *log_ = malloc(n * sizeof *log_);
    srand(13);
    for (int i = 0; i < n; i++) {
        for (int f = 0; f < FIELDS; f++)
            log_[i].f[f] = rand() % 3000;
        log_[i].click = log_[i].f[0] % 4 == 0;
    }
    ftrl m = {.1f, 1.f, .5f, 1.f, calloc(DIM, sizeof(slot))};
    for (int e = 0; e < 2; e++) {
        double loss = 0;
        float w[FIELDS];
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            float p = predict(&m, &log_[i], w);
            loss -= log_[i].click ? log(p) : log(1 - p);
            train(&m, &log_[i], p, w);
            if (i % 1000 == 999)
                fprintf(stdout, "%d\t%.6f\n", i + 1, loss / (i + 1));
        }
        printf("epoch %d logloss %.6f\n", e, loss / n);
    }
    return 0;
}
