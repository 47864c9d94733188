/*
 * SVD++: every user's step changes the implicit factors of many items, in a function that names them.
 * loop: serial ORR2111
 * says: hand it to the called functions as an argument, and add relax(y); to keep the serial result, leave out `unordered`
 * edit: parallel unordered => parallel
 * then: parallel levels
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define F 8
#define IDX(i, f) ((i) * F + (f))
typedef struct {
    int nusers, nitems, *begin, *item;
    unsigned char *stars;
} ratings_t;
static double *bu, *bi, *p, *q, *y;
static double mu;
static double *vec(size_t n) {
    double *v = malloc(n * sizeof *v);
    if (!v)
        abort();
    for (size_t i = 0; i < n; ++i)
        v[i] = .1 * ((i * 7919 % 1000) / 1000. - .5);
    return v;
}
static double user_step(const ratings_t *r, int u, double lr, double reg) {
    int from = r->begin[u], to = r->begin[u + 1], count = to - from;
    double norm = count ? 1 / sqrt(count) : 0, sum[F] = {0}, z[F], err2 = 0;
    for (int a = from; a < to; ++a)
        for (int f = 0; f < F; ++f)
            sum[f] += y[IDX(r->item[a], f)];
    for (int f = 0; f < F; ++f) {
        z[f] = p[IDX(u, f)] + norm * sum[f];
        sum[f] = 0;
    }
    for (int a = from; a < to; ++a) {
        int i = r->item[a];
        double e = r->stars[a] - mu - bu[u] - bi[i];
        for (int f = 0; f < F; ++f)
            e -= z[f] * q[IDX(i, f)];
        err2 += e * e;
        bu[u] += lr * (e - reg * bu[u]);
        bi[i] += lr * (e - reg * bi[i]);
        for (int f = 0; f < F; ++f) {
            double pf = p[IDX(u, f)], qf = q[IDX(i, f)];
            p[IDX(u, f)] += lr * (e * qf - reg * pf);
            q[IDX(i, f)] += lr * (e * z[f] - reg * qf);
            sum[f] += e * norm * qf;
        }
    }
    for (int a = from; a < to; ++a)
        for (int f = 0; f < F; ++f)
            y[IDX(r->item[a], f)] += lr * (sum[f] - reg * y[IDX(r->item[a], f)]);
    return err2;
}
int main(void) {
    ratings_t r = {300, 200, malloc(301 * sizeof(int)), malloc(300 * 12 * sizeof(int)),
                   malloc(300 * 12)};
    int at = 0;
    for (int u = 0; u < r.nusers; ++u) {
        r.begin[u] = at;
        for (int k = 0; k < 4 + u % 8; ++k) {
            r.item[at] = (u * 13 + k * k * 29) % r.nitems;
            r.stars[at] = 1 + (u + r.item[at]) % 5;
            mu += r.stars[at];
            ++at;
        }
    }
    r.begin[r.nusers] = at;
    mu /= at;
    bu = calloc(300, sizeof *bu);
    bi = calloc(200, sizeof *bi);
    p = vec(300 * F);
    q = vec(200 * F);
    y = vec(200 * F);
    for (int epoch = 0; epoch < 6; ++epoch) {
        double e = 0;
#pragma orrery parallel unordered
        for (int u = 0; u < r.nusers; ++u)
            e += user_step(&r, u, .01, .02);
        printf("%d rmse %.3f\n", epoch, sqrt(e / at));
    }
}
