/*
 * Rows that share lines of the cache, which are copied while a loop runs: ids from 1, keys that the
 * body computes with, keys of two widths of one table, a table of which only part of each row is
 * touched in the second run, and one that is not cut.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { USERS = 311, ITEMS = 1500, COUNT = 34000, K = 5 };

struct rating {
    int user, item;
    unsigned char near;
    float value;
};

static unsigned state = 11;

static unsigned draw(unsigned below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

static double *numbers(long count) {
    double *x = malloc((size_t)count * sizeof *x);
    for (long i = 0; i < count; ++i)
        x[i] = draw(1000000) / 1e6 + 1e-3;
    return x;
}

/* Each bit counts. */
static void show(const char *what, const double *x, long count) {
    unsigned long hash = 14695981039346656037ul;
    for (long i = 0; i < count * (long)sizeof *x; ++i)
        hash = (hash ^ ((const unsigned char *)x)[i]) * 1099511628211ul;
    printf("%s %016lx\n", what, hash);
}

/* Ids from 1, of which the body makes a number, too. */
static void from_one(const struct rating *r, double *w, double *h) {
#pragma orrery parallel unordered
    for (long n = 0; n < COUNT; ++n) {
        double *a = w + (r[n].user - 1) * K, *b = h + (r[n].item - 1) * K;
        double e = r[n].value - r[n].user * .001;
        for (int k = 0; k < K; ++k)
            e -= a[k] * b[k];
        for (int k = 0; k < K; ++k) {
            double old = a[k];
            a[k] += .01 * e * b[k];
            b[k] += .01 * e * old;
        }
    }
}

/* One table, through keys of one byte and of four. */
static void two_widths(const struct rating *r, double *h) {
#pragma orrery parallel unordered
    for (long n = 0; n < COUNT; ++n) {
        double e = r[n].value;
        for (int k = 0; k < K; ++k)
            e -= h[r[n].near * K + k] * h[r[n].item * K + k];
        for (int k = 0; k < K; ++k) {
            double old = h[r[n].near * K + k];
            h[r[n].near * K + k] += .001 * e * h[r[n].item * K + k];
            h[r[n].item * K + k] += .001 * e * old;
        }
    }
}

/* `wide` may be more than `used`: between the rows stands what the loop does not touch. */
static void strided(const struct rating *r, double *w, double *h, int wide, int used) {
    long nw = USERS * (long)wide + used, nh = ITEMS * (long)wide + used;
#pragma orrery parallel unordered extent(w : nw) extent(h : nh)
    for (long n = 0; n < COUNT; ++n)
        for (int k = 0; k < used; ++k) {
            double old = w[r[n].user * wide + k];
            w[r[n].user * wide + k] += .01 * h[r[n].item * wide + k];
            h[r[n].item * wide + k] -= .01 * old;
        }
}

/* What is only read through the key is not cut. */
static void beside(const struct rating *r, double *w, double *h, const double *bias) {
#pragma orrery parallel unordered
    for (long n = 0; n < COUNT; ++n) {
        double old = w[r[n].user] + bias[r[n].user];
        w[r[n].user] += .01 * h[r[n].item] * r[n].value;
        h[r[n].item] -= .01 * old;
    }
}

/* So many numbers; nobody may touch what stands behind them. */
static double *guarded(long count) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (size_t)count * sizeof(double);
    size_t room = (bytes + page - 1) / page * page;
    char *at = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED || mprotect(at + room, page, PROT_NONE))
        exit(1);
    double *x = (double *)(void *)(at + room - bytes);
    for (long i = 0; i < count; ++i)
        x[i] = draw(1000000) / 1e6;
    return x;
}

int main(void) {
    struct rating *r = malloc(COUNT * sizeof *r);
    double *w = numbers((USERS + 1) * 8L), *h = numbers((ITEMS + 1) * 8L),
           *bias = numbers(USERS + 1);
    for (long n = 0; n < COUNT; ++n)
        r[n] = (struct rating){1 + (int)draw(USERS), 1 + (int)draw(ITEMS), (unsigned char)draw(256),
                               (float)draw(100) / 50};
    double *a = guarded(USERS * (K + 2) + K), *b = guarded(ITEMS * (K + 2) + K);
    for (int run = 0; run < 2; ++run) {
        from_one(r, w, h);
        two_widths(r, h);
        strided(r, w, h, K, K);
        strided(r, a, b, K + 2, K);
        beside(r, w, h, bias);
    }
    show("w", w, USERS * 8L);
    show("h", h, ITEMS * 8L);
    show("a", a, USERS * (K + 2) + K);
    show("b", b, ITEMS * (K + 2) + K);
    free(r);
    free(w);
    free(h);
    free(bias);
    return 0;
}
