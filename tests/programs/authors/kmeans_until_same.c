/*
 * k-means that stops at the first point which moved, with a bool; the first bad number is found.
 * loop: parallel independent
 * loop: parallel reduction
 * loop: parallel reduction
 * loop: parallel independent
 * ranks: 2
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
/* k-means++ and Lloyd; bails out on NaN; elkan-like skip; search for first bad point with break */
typedef struct {
    float *data;
    int n, d;
} Matrix;
static float dist(const float *a, const float *b, int d) {
    float s = 0;
    for (int i = 0; i < d; i++) {
        float t = a[i] - b[i];
        s += t * t;
    }
    return s;
}
static int first_bad(const Matrix *m) {
    int bad = -1;
#pragma orrery parallel
    for (int i = 0; i < m->n * m->d; i++)
        if (isnan(m->data[i])) {
            bad = i;
            break;
        }
    return bad;
}
static bool lloyd(const Matrix *m, int k, float *cent, int *assign, int *count, float *inertia) {
    bool moved = false;
    *inertia = 0;
#pragma orrery parallel
    for (int i = 0; i < m->n; i++) {
        const float *x = m->data + i * m->d;
        int best = 0;
        float bd = FLT_MAX;
        for (int c = 0; c < k; c++) {
            float t = dist(x, cent + c * m->d, m->d);
            if (t < bd) {
                bd = t;
                best = c;
            }
        }
        if (assign[i] != best)
            moved = true;
        assign[i] = best;
        *inertia += bd;
    }
    for (int i = 0; i < k * m->d; i++)
        cent[i] = 0;
    for (int i = 0; i < k; i++)
        count[i] = 0;
#pragma orrery parallel
    for (int i = 0; i < m->n; i++) {
        count[assign[i]]++;
        for (int j = 0; j < m->d; j++)
            cent[assign[i] * m->d + j] += m->data[i * m->d + j];
    }
    for (int c = 0; c < k; c++)
        if (count[c])
            for (int j = 0; j < m->d; j++)
                cent[c * m->d + j] /= count[c];
    return moved;
}
static bool same(const int *a, const int *b, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}
int main(void) {
    Matrix m = {NULL, 700, 5};
    int k = 5;
    srand(31);
    m.data = malloc(sizeof(float) * m.n * m.d);
    for (int i = 0; i < m.n * m.d; i++)
        m.data[i] = (i / m.d % k) * 2 + rand() / (float)RAND_MAX;
    if (first_bad(&m) >= 0) {
        puts("NaN in input");
        return 1;
    }
    float *cent = malloc(sizeof(float) * k * m.d), inertia;
    int *assign = malloc(sizeof(int) * m.n), *old = malloc(sizeof(int) * m.n),
        *count = malloc(sizeof(int) * k);
    for (int i = 0; i < m.n; i++)
        assign[i] = -1;
    for (int c = 0; c < k; c++)
        for (int j = 0; j < m.d; j++)
            cent[c * m.d + j] = m.data[(c * 13) * m.d + j];
    for (int it = 0; it < 50; it++) {
        for (int i = 0; i < m.n; i++)
            old[i] = assign[i];
        lloyd(&m, k, cent, assign, count, &inertia);
        printf("iter %d inertia %.2f\n", it, inertia);
        if (same(old, assign, m.n))
            break;
    }
    m.data[1234] = NAN;
    printf("%d\n", first_bad(&m));
    return 0;
}
