/* Bit-fields of records: an iteration's own are set and added to, others choose rows and are counted, and a
 * permutation leads to them.
 * loop: parallel independent
 * loop: parallel partition-1d
 * loop: parallel reduction
 * loop: parallel partition-1d
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

struct record { unsigned seen : 1, kind : 3, count : 12; float x; };

static void own(struct record *r, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        r[i].seen = r[i].x > .5f;
        r[i].kind = i % 5;
        r[i].count += r[i].kind;
    }
}

static void by_kind(const struct record *r, float *w, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        w[r[i].kind] = w[r[i].kind] * .5f + r[i].x;
}

static long counted(const struct record *r, int n) {
    long s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (r[i].seen)
            s += r[i].count;
    return s;
}

static void mark(struct record *r, const int *at, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        r[at[i]].kind ^= i & 7;
}

int main(void) {
    int n = 1000, *at = calloc(n, sizeof *at);
    struct record *r = calloc(n, sizeof *r);
    float w[8] = {0};
    for (int i = 0; i < n; i++) {
        r[i].x = i % 7 * .15f;
        r[i].count = i % 9;
        at[i] = i * 7 % 331;
    }
    own(r, n);
    by_kind(r, w, n);
    printf("%ld\n", counted(r, n));
    mark(r, at, n);
    for (int i = 0; i < n; i += 40)
        printf("%d %d %d %g\n", r[i].seen, r[i].kind, r[i].count, w[i % 8]);
    return 0;
}
