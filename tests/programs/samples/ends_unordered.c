/* Factorization in any order, whose rating number BAD ends the program; many rows are printed. usage: ends_unordered BAD */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define K 8
typedef struct {
    float w[K];
    int hits;
} row;
static row U[400], V[300];
static int verbose = 1;
static FILE *logf_;
static long nprinted;
static void trace(const char *tag, int i, const float *w) {
    if (verbose && i % 5 == 0)
        printf("%s %d:", tag, i);
    if (verbose && i % 5 == 0)
        for (int k = 0; k < K; k++)
            printf(" %.6g", w[k]);
    if (verbose && i % 5 == 0)
        putchar('\n');
}
static void fail(int i, float e) {
    char msg[80];
    snprintf(msg, sizeof msg, "diverged at %d (%g)", i, e);
    fprintf(stderr, "error: %s\n", msg);
    fflush(stdout);
    if (i % 2)
        exit(i % 200 + 1);
    abort();
}
static float dot(const float *a, const float *b) {
    float s = 0;
    for (int k = 0; k < K; k++)
        s += a[k] * b[k];
    return s;
}
static void update(row *u, row *v, float r, int i, float limit) {
    float e = r - dot(u->w, v->w);
    if (!(fabsf(e) < limit))
        fail(i, e);
    for (int k = 0; k < K; k++) {
        float t = u->w[k];
        u->w[k] += .02f * (e * v->w[k] - .01f * t);
        v->w[k] += .02f * (e * t - .01f * v->w[k]);
    }
    u->hits++;
    v->hits++;
    trace("u", i, u->w);
}
int main(int c, char **a) {
    float limit = 1e6f;
    int bad = c > 1 ? atoi(a[1]) : -1;
    int n = 9000;
    unsigned s = 7;
    int *ui = malloc(n * sizeof *ui), *vi = malloc(n * sizeof *vi);
    float *r = malloc(n * sizeof *r);
    for (int i = 0; i < n; i++) {
        s = s * 1664525u + 1013904223u;
        ui[i] = (s >> 8) % 400;
        s = s * 1664525u + 1013904223u;
        vi[i] = (s >> 8) % 300;
        r[i] = (s >> 20) % 5;
    }
    if (bad >= 0)
        r[bad] = 1e9f;
    for (int i = 0; i < 400 * K; i++)
        U[i / K].w[i % K] = (i % 11) * .05f;
    for (int i = 0; i < 300 * K; i++)
        V[i / K].w[i % K] = (i % 7) * .06f;
    for (int p = 0; p < 3; p++) {
        printf("pass %d\n", p);
#pragma orrery parallel unordered
        for (int i = 0; i < n; i++)
            update(&U[ui[i]], &V[vi[i]], r[i], i, limit);
        printf("end %d %.9g\n", p, U[3].w[2] + V[5].w[1]);
    }
    return 0;
}
