#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A network of two hidden layers that learns from one example after the other. The first layer's
 * weights may be some examples old when an example reads them: its update runs late.
 * With BY_HAND the same in a plain program that runs the updates late itself: RANGES ranges, V four
 * of them late; with W_TOO, W four and V eight.
 */
enum { D = 24, H = 24, G = 20 };

static double V[H * D], W[G * H], u[G];

static double sigma(double x) {
    return x > 0 ? x : 0.01 * x;
}

#ifdef BY_HAND
static double (*hs)[H], (*es), (*gs)[G], (*dgs)[G], (*dhs)[H];

static void first(long n, const double *x) {
    for (int j = 0; j < H; ++j) {
        double sum = 0;
        for (int k = 0; k < D; ++k)
            sum += V[j * D + k] * x[n * D + k];
        hs[n][j] = sigma(sum);
    }
}

static void change_V(long n, const double *x, double rate) {
    for (int j = 0; j < H; ++j)
        for (int k = 0; k < D; ++k)
            V[j * D + k] += rate * dhs[n][j] * (hs[n][j] > 0 ? 1 : 0.01) * x[n * D + k];
}

static void change_W(long n, double rate) {
    for (int j = 0; j < G; ++j)
        for (int k = 0; k < H; ++k) {
            dhs[n][k] += dgs[n][j] * W[j * H + k];
            W[j * H + k] += rate * dgs[n][j] * hs[n][k];
        }
}

static double second(long n, const double *y, double rate) {
    es[n] = y[n];
    for (int j = 0; j < G; ++j) {
        double sum = 0;
        for (int k = 0; k < H; ++k)
            sum += W[j * H + k] * hs[n][k];
        gs[n][j] = sigma(sum);
    }
    for (int j = 0; j < G; ++j)
        es[n] -= u[j] * gs[n][j];
    for (int j = 0; j < G; ++j) {
        dgs[n][j] = es[n] * u[j] * (gs[n][j] > 0 ? 1 : 0.01);
        u[j] += rate * es[n] * gs[n][j];
    }
    for (int k = 0; k < H; ++k)
        dhs[n][k] = 0;
    return es[n] * es[n];
}

#ifdef W_TOO
enum { LATE_W = 4, LATE_V = 8 };
#else
enum { LATE_W = 0, LATE_V = 4 };
#endif

static long begin_of(long range, long ranges, long count) {
    return (long)((__int128)count * range / ranges);
}

static double train(long count, const double *x, const double *y, double rate) {
    double loss = 0;
    long ranges = atol(getenv("RANGES"));
    hs = malloc(sizeof *hs * (size_t)count);
    es = malloc(sizeof *es * (size_t)count);
    gs = malloc(sizeof *gs * (size_t)count);
    dgs = malloc(sizeof *dgs * (size_t)count);
    dhs = malloc(sizeof *dhs * (size_t)count);
    for (long c = 0; c < ranges + LATE_V; ++c) {
        for (long n = begin_of(c - LATE_V, ranges, count);
             c >= LATE_V && n < begin_of(c - LATE_V + 1, ranges, count); ++n)
            change_V(n, x, rate);
        for (long n = begin_of(c, ranges, count); c < ranges && n < begin_of(c + 1, ranges, count);
             ++n)
            first(n, x);
        for (long n = begin_of(c - LATE_W, ranges, count);
             LATE_W && c >= LATE_W && c - LATE_W < ranges &&
             n < begin_of(c - LATE_W + 1, ranges, count);
             ++n)
            change_W(n, rate);
        for (long n = begin_of(c, ranges, count); c < ranges && n < begin_of(c + 1, ranges, count);
             ++n) {
            loss += second(n, y, rate);
            if (!LATE_W)
                change_W(n, rate);
        }
    }
    free(hs);
    free(es);
    free(gs);
    free(dgs);
    free(dhs);
    return loss;
}
#else
static double train(long count, const double *restrict x, const double *restrict y, double rate) {
    double loss = 0;
#pragma orrery parallel relax(V)
    for (long n = 0; n < count; ++n) {
        double h[H], g[G], e = y[n], dg[G], dh[H];
        for (int j = 0; j < H; ++j) {
            double sum = 0;
            for (int k = 0; k < D; ++k)
                sum += V[j * D + k] * x[n * D + k];
            h[j] = sigma(sum);
        }
        for (int j = 0; j < G; ++j) {
            double sum = 0;
            for (int k = 0; k < H; ++k)
                sum += W[j * H + k] * h[k];
            g[j] = sigma(sum);
        }
        for (int j = 0; j < G; ++j)
            e -= u[j] * g[j];
        for (int j = 0; j < G; ++j) {
            dg[j] = e * u[j] * (g[j] > 0 ? 1 : 0.01);
            u[j] += rate * e * g[j];
        }
        for (int k = 0; k < H; ++k)
            dh[k] = 0;
        for (int j = 0; j < G; ++j)
            for (int k = 0; k < H; ++k) {
                dh[k] += dg[j] * W[j * H + k];
                W[j * H + k] += rate * dg[j] * h[k];
            }
        for (int j = 0; j < H; ++j)
            for (int k = 0; k < D; ++k)
                V[j * D + k] += rate * dh[j] * (h[j] > 0 ? 1 : 0.01) * x[n * D + k];
        loss += e * e;
    }
    return loss;
}
#endif

static double number(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / (double)(1 << 24) - 0.5;
}

static void weights(double *w, long n, unsigned seed) {
    for (long i = 0; i < n; ++i)
        w[i] = number(&seed);
}

int main(void) {
    long count = 5000;
    unsigned state = 9;
    double *x = malloc(sizeof *x * (size_t)(count * D)), *y = malloc(sizeof *y * (size_t)count);
    for (long n = 0; n < count; ++n) {
        double sum = 0;
        for (int k = 0; k < D; ++k) {
            x[n * D + k] = number(&state);
            sum += (k % 3 - 1) * x[n * D + k];
        }
        y[n] = sin(sum) + 0.5 * sum * sum;
    }
    weights(V, H * D, 1);
    weights(W, G * H, 2);
    weights(u, G, 3);
    for (int epoch = 0; epoch < 8; ++epoch)
        printf("epoch %d loss %.17g\n", epoch, train(count, x, y, 0.02) / (double)count);
    double sum = 0;
    for (int i = 0; i < H * D; ++i)
        sum += V[i] * (i % 7 + 1);
    for (int i = 0; i < G * H; ++i)
        sum += W[i] * (i % 5 + 1);
    printf("%.17g %.17g\n", sum, u[3]);
    free(x);
    free(y);
    return 0;
}
