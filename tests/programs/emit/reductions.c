/* emit: 3 */
#include <stdio.h>
#include <stdlib.h>

struct stats {
    double loss;
    long hits;
};

static double plain(const int *x, long n, long *hits) {
    double sum = 100;
    unsigned odd = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        sum += x[i];
        odd += x[i] & 1u;
    }
    *hits = odd;
    return sum;
}

static void fields(struct stats *s, const int *x, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        s->loss += 2.0 * x[i];
        s->hits -= x[i];
    }
}

static void through(double *total, const int *x, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i)
        *total += x[i];
}

int main(void) {
    long n = 5000, hits;
    int *x = malloc(n * sizeof *x);
    double *total = malloc(sizeof *total);
    struct stats s = {1, 2};
    for (long i = 0; i < n; ++i)
        x[i] = (int)(i * 7919 % 1001);
    double sum = plain(x, n, &hits);
    fields(&s, x, n);
    *total = 3;
    through(total, x, n);
    printf("%.1f %ld %.1f %ld %.1f\n", sum, hits, s.loss, s.hits, *total);
    free(x), free(total);
    return 0;
}
