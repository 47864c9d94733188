/* Addresses of memory of which every worker has a copy, compared with what serial code made, subtracted from it, made
 * numbers; rows of copied tables, kept.
 * loop: serial ORR2286
 * loop: serial ORR2286
 * loop: serial ORR2286
 * loop: serial ORR2286
 * loop: serial ORR2286
 * loop: serial ORR2286
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 600, K = 16 };
struct node {
    long n;
};
static struct node nodes[K], *table[K], *kept[N];
static long counts[K], w[N];

static int from(const long *p, const long *start) {
    return (int)(p - start);
}

static void print(void) {
    for (int k = 0; k < K; ++k)
        printf("%ld %ld ", counts[k], nodes[k].n);
    for (int i = 0; i < N; i += 7)
        printf("%ld %d ", w[i], kept[i] ? (int)(kept[i] - nodes) : -1);
    puts("");
}

static void run(int first, const int *b, struct node **t, const struct node *seventh, const long *third) {
#pragma orrery parallel
    for (int i = first; i < N; ++i) {
        int k = 0;
        while (k < b[i])
            ++k;
        t[k]->n += 3;
        if (t[k] == seventh)
            w[i] = 1;
    }
    print();
#pragma orrery parallel
    for (int i = first; i < N; ++i) {
        int k = 0;
        while (k < b[i])
            ++k;
        struct node *p = t[k];
        kept[i] = p;
        t[k]->n += i;
    }
    print();
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        counts[b[i]] += i;
        const long *q = counts + b[i];
        if (q >= third)
            w[i] = 2;
    }
    print();
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        counts[b[i]] += i;
        w[i] = from(&counts[b[i]], third);
    }
    print();
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        counts[b[i]] += i;
        w[i] = (long)((uintptr_t)&counts[b[i]] - (uintptr_t)third);
    }
    print();
    long sum = 0;
    const long *its = &sum;
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        sum += b[i];
        w[i] = &sum == its;
    }
    print();
}

int main(void) {
    static int b[N];
    for (int k = 0; k < K; ++k)
        table[k] = &nodes[k];
    for (int i = 0; i < N; ++i)
        b[i] = i * 7 % K;
    run(0, b, table, &nodes[7], counts + 3);
}
