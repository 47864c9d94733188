/* C's rarer words: bit-fields, unions, variable-length arrays, compound literals, _Generic, statement expressions.
 * loop: parallel rotation-2d
 * loop: parallel independent
 * result: near .01
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <math.h>
typedef struct { unsigned user : 20; unsigned item : 20; unsigned star : 3; unsigned used : 1; } packed_t;
typedef union { float f; uint32_t u; } fu;
typedef struct { float v[4]; } vec4;
#define SQ(x) _Generic((x), float: sqf, double: sqd)(x)
static inline float sqf(float x) { return x * x; }
static inline double sqd(double x) { return x * x; }
#define max(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
static float fast_exp(float x) { fu z; z.u = (uint32_t)((1 << 23) * (1.4426950409f * x + 126.93490512f)); return z.f; }
int main(void) {
    int n = 1500, nu = 90, ni = 70; enum { K = 4 };
    packed_t *p = calloc(n, sizeof *p); vec4 *U = calloc(nu, sizeof *U), *V = calloc(ni, sizeof *V);
    for (int i = 0; i < n; i++) p[i] = (packed_t){.user = i * 7 % nu, .item = i * 11 % ni, .star = i % 5, .used = i % 4 != 0};
    for (int i = 0; i < nu; i++) U[i] = (vec4){{.1f, .2f, .3f, i / 90.f}};
    for (int i = 0; i < ni; i++) V[i] = (vec4){{.3f, .1f, i / 70.f, .2f}};
    double sse = 0;
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++) {
        if (!p[i].used) continue;
        vec4 *u = &U[p[i].user], *v = &V[p[i].item];
        float e = p[i].star, s = 0;
        for (int k = 0; k < K; ++k) s += u->v[k] * v->v[k];
        e -= s;
        sse += SQ(e);
        vec4 old = *u;
        for (int k = 0; k < K; ++k) u->v[k] += .01f * e * v->v[k], v->v[k] += .01f * e * old.v[k];
    }
    printf("%.3f\n", sse);
    float *out = malloc(n * sizeof *out);
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        float row[K + p[i].star]; /* VLA */
        for (int k = 0; k < K + p[i].star; ++k) row[k] = fast_exp(k - (float)i / n);
        float m = row[0]; for (int k = 1; k < K + (int)p[i].star; ++k) m = max(m, row[k]);
        out[i] = fmaxf(m, ((float[]){1, 2, 3})[i % 3]);
    }
    printf("%.5f %.5f\n", out[7], out[n - 1]);
    return 0;
}
