/* emit: 7 */
/* Pointers that the loop follows under a condition, or never, were followed before it: to ask where
 * arrays are and how long, or what is summed into holds. */
#include <stdio.h>
#include <stdlib.h>

struct map {
    int step;
    long *cells;
    struct {
        long n, *cells;
    } *inner;
    long sum, best;
};

static void paint(struct map *restrict a, struct map *restrict b, int kind, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        if (kind)
            a->cells[i * a->step] = i * 3;
        else
            b->cells[i * b->step] += i * 5;
}

static void paint_inner(struct map *a, const long *restrict x, long *restrict y, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        y[i] = i < 90 ? x[i] : x[i] + a->inner->cells[i] * a->inner->n;
}

static void sum(struct map *restrict p, const long *restrict x, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        if (p)
            p->sum += x[i];
}

static void sum_all(struct map *restrict p, const long *restrict x, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        p->sum += x[i];
}

static void greatest(struct map *restrict p, const long *restrict x, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        if (x[i] > p->best)
            p->best = x[i];
}

static void count(struct map *restrict p, const long *restrict x, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        if (p->inner)
            p->inner->n += x[i] & 1;
}

static void least(struct map *restrict p, const long *restrict x, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        if (x[i] < p->best) {
            p->best = x[i];
            p->step = i;
        }
}

int main(void) {
    struct map a = {.step = 1, .cells = calloc(100, sizeof(long))};
    struct map b = {.step = 1, .cells = calloc(100, sizeof(long))};
    struct map *wild = (struct map *)24;
    paint(&a, NULL, 1, 100);
    paint(wild, &b, 0, 100);
    paint(&b, &a, 0, 100);
    long *x = calloc(100, sizeof(long));
    paint_inner(NULL, a.cells, x, 90);
    paint_inner(&a, a.cells, x, 90);
    sum(NULL, x, 100);
    sum(&a, x, 100);
    sum_all(NULL, x, 0);
    sum_all(&a, x, 100);
    greatest(NULL, x, 0);
    greatest(&a, x, 100);
    count(&a, x, 100);
    least(NULL, x, 0);
    least(&a, x, 100);
    printf("%ld %ld %d\n", a.sum, a.best, a.step);
    for (int i = 0; i < 100; ++i)
        printf("%ld %ld\n", a.cells[i], x[i]);
    return 0;
}
