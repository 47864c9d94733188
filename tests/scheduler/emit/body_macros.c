/* emit: 10 */
/* Loops whose bodies, headers or both are macros. */
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

int main(void) {
    static float x[N], y[N], w[N];
    static record r[N];
    double total;
    for (int i = 0; i < N; i++) {
        y[i] = i % 7;
        r[i].at = i * 11 % 37;
        r[i].value = i % 5;
    }
    total = all(x, y, N);
    train(r, w, N);
    for (int i = 0; i < N; i += 17)
        printf("%g %g\n", x[i], w[i % 37]);
    printf("%g\n", total);
    return 0;
}
