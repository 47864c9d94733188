/* Sums and counts behind assertions: what follows an assertion is part of the loop.
 * loop: parallel reduction
 * loop: parallel partition-1d
 * result: near 1e-6
 */
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct ratings {
    int count, users, *user;
    double *value;
};

static double total(const struct ratings *r) {
    double sum = 0;
#pragma orrery parallel
    for (int i = 0; i < r->count; i++) {
        assert(r->value[i] >= 0 && r->value[i] <= 5);
        sum += r->value[i];
        assert(r->user[i] < r->users);
    }
    return sum;
}

static void average(const struct ratings *restrict r, double *restrict mean) {
#pragma orrery parallel
    for (int i = 0; i < r->count; i++) {
        assert(0 <= r->user[i] && r->user[i] < r->users);
        double *m = &mean[r->user[i]];
        *m = *m * .9 + r->value[i] * .1;
    }
}

int main(void) {
    struct ratings r = {900, 31, malloc(900 * sizeof(int)), malloc(900 * sizeof(double))};
    double *mean = calloc(r.users, sizeof *mean);
    for (int i = 0; i < r.count; i++) {
        r.user[i] = i * 17 % r.users;
        r.value[i] = i * 29 % 50 / 10.0;
    }
    average(&r, mean);
    printf("%.6f\n", total(&r));
    for (int u = 0; u < r.users; u++)
        printf("%.9f\n", mean[u]);
    return 0;
}
