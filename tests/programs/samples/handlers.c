/* The program has a handler of SIGSEGV; keys change between passes, on pages that are watched. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile sig_atomic_t faults;
static double a[1000];

/* Under -std=c11 it is called once: the second fault ends the program. */
static void on_fault(int number) {
    (void)number;
    if (++faults > 2)
        _Exit(9);
}

int main(void) {
    enum { N = 30000 };
    int *key = malloc(N * sizeof *key);
    double sum = 0;
    signal(SIGSEGV, on_fault);
    for (int pass = 0; pass < 4; pass++) {
        for (int i = 0; i < N; i++)
            key[i] = (i * 7 + pass * (i / 3)) % 1000;
#pragma orrery parallel
        for (int i = 0; i < N; i++)
            a[key[i]] = a[key[i]] * .5 + i + pass;
    }
    for (int i = 0; i < 1000; i++)
        sum = sum * .99 + a[i];
    printf("%.17g, %d faults\n", sum, (int)faults);
    fflush(stdout);
    *(volatile int *)NULL = 1;
    return 0;
}
