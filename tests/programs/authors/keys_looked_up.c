/*
 * The keys of marked loops come from functions that check them, print, and end the program: they stay called.
 * loop: parallel reduction
 * loop: parallel partition-1d
 * loop: parallel partition-1d
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>

static double W[50], Z[50];
static int tab[64];

static int look(const int *p, int i) {
    if (p[i] < 0 || p[i] >= 50) {
        printf("bad key %d\n", p[i]);
        exit(5);
    }
    if (i % 90 == 0)
        printf("look %d\n", i);
    return p[i];
}

static int *place(int *p, int i) {
    if (i % 77 == 0)
        printf("place %d\n", i);
    return p + i;
}

/* usage: keys_looked_up [BAD]: the key of the row BAD is none */
int main(int argc, char **argv) {
    int n = 500, bad = argc > 1 ? atoi(argv[1]) : -1, *p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = i * 7 % 50;
    for (int i = 0; i < 64; i++)
        tab[i] = (i * 3) % 50;
    if (bad >= 0)
        p[bad] = 1 << 30;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        Z[tab[look(p, i)]] += i;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        int k = *place(p, i);
        W[k] = W[k] * .5 + i;
    }
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        int k = look(p, i) * 2 % 50;
        if (look(p, i) > 20)
            W[k] = W[k] * .5 + i;
    }
    double s = 0;
    for (int k = 0; k < 50; k++)
        s += Z[k] * k + W[k];
    printf("%.9g\n", s);
    return 0;
}
