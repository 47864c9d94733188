/*
 * Keys that some iterations do not use, and that hold anything there, into memory whose size is not known: no tables
 * of a gigabyte are made of them.
 * says: too far apart for a table
 * marked: too far apart for a table
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { N = 90 };

struct record {
    int a, u;
};

int main(void) {
    struct record *p = calloc(N, sizeof *p);
    int *y = calloc(N, sizeof *y);
    long *h = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    long *o = calloc(N, sizeof *o), s = 0;
    for (int i = 0; i < N; ++i) {
        y[i] = i % 3 ? 0 : 2;
        p[i] = (struct record){i % 7, i % 3 ? (i % 2 ? 60000000 : -60000000) : i % 16};
    }
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        o[i] = p[i].a;
        y[i] = y[i] * 3;
        if (y[i] >= 4)
            h[p[i].u] = (h[p[i].u] & 1023) * 3 + 1;
    }
    for (int i = 0; i < 16; ++i)
        s = s * 31 + h[i] + o[i];
    printf("%ld\n", s);
    return 0;
}
