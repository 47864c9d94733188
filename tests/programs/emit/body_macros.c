/* emit: 14 */
/* Loops whose bodies, headers or both are macros, or begin with one. */
#include <stdio.h>

enum { N = 300 };
typedef struct { int at; float value; } record;

#define UPDATE(i) x[i] = y[i] * 2 + 1
#define OWN_END(i) x[i] += y[i];
#define BLOCK(i) { float t = y[i]; x[i] = t * t + x[i]; }
#define ONCE(i) do { if (y[i] > 3) break; x[i] += 1; } while (0)
#define FOR(i, n) for (int i = 0; i < (n); i++)
#define CHOOSE(i, c) if (c) x[i] = 3; else x[i] -= y[i]
#define INNER(i) for (int k = 0; k < 3; k++) x[i] += k * y[i]
#define SUM total += x[i] * y[i]
#define TRAIN(r) w[(r).at] += .1f * ((r).value - w[(r).at])
#define DOUBLED(i) UPDATE(i)
#define AT(m, i, j) m[(i) * 3 + (j)]
#define VALUE(a) (a)
#define CELL AT(g, i, 2)

static double all(float *restrict x, const float *restrict y, int n) {
    double total = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) UPDATE(i);
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        OWN_END(i)
#pragma orrery parallel
    for (int i = 0; i < n; i++) /* a comment */
        BLOCK(i);
#pragma orrery parallel
    for (int i = 0; i < n; i++) ONCE(i);
#pragma orrery parallel
    FOR(i, n) CHOOSE(i, y[i] > 2);
#pragma orrery parallel
    FOR(i, n) INNER(i);
    if (n > 2)
#pragma orrery parallel
        for (int i = 0; i < n; i++) SUM;
    else
        total = 1;
#pragma orrery parallel
    FOR(i, n) { DOUBLED(i); }
#pragma orrery parallel
    for (int i = 0; i < n; i++) DOUBLED(i);
    return total;
}

static void train(const record *r, float *w, int n) {
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++) TRAIN(r[i]);
}

static void cells(float *restrict g, const float *restrict y, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) AT(g, i, 0) = AT(g, i, 1) + y[i] > 3 ? y[i] : 2;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) AT(g, i, k) += y[i];
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (i % 3) AT(g, i, 1) *= y[i]; else if (i % 2) CELL = 5; else g[i * 3] = 1; /* a use in front */
#pragma orrery parallel
    for (int i = 0; i < n; i++) VALUE(g[i * 3]) -= VALUE(y[i]);
}

int main(void) {
    static float x[N], y[N], w[N], g[3 * N];
    static record r[N];
    double total;
    for (int i = 0; i < N; i++) {
        y[i] = i % 7;
        r[i].at = i * 11 % 37;
        r[i].value = i % 5;
    }
    total = all(x, y, N);
    train(r, w, N);
    cells(g, y, N);
    for (int i = 0; i < N; i += 17)
        printf("%g %g %g %g %g\n", x[i], w[i % 37], g[3 * i], g[3 * i + 1], g[3 * i + 2]);
    printf("%g\n", total);
    return 0;
}
