/* A row ends the program; from another one on divisors are 0. usage: ends_divides BAD ZEROS [ROWS] */
#include <stdio.h>
#include <stdlib.h>

static void die(int i) {
    printf("bad row %d\n", i);
    fflush(stdout);
    exit(9);
}

int main(int argc, char **argv) {
    enum { N = 4000 };
    int bad = argc > 1 ? atoi(argv[1]) : -1, zeros = argc > 2 ? atoi(argv[2]) : N;
    long rows = argc > 3 ? atol(argv[3]) : N, sum = 0;
    int *divisor = malloc(N * sizeof *divisor), *quotient = malloc(N * sizeof *quotient);
    for (int i = 0; i < N; i++)
        divisor[i] = i < zeros ? i % 7 + 1 : 0;
#pragma orrery parallel
    for (long i = 0; i < rows; i++) {
        if (i == bad)
            die(i);
        quotient[i] = 1000000 / divisor[i];
        if (i % 500 == 0) {
            printf("row %ld: %d\n", i, quotient[i]);
            fflush(stdout);
        }
    }
    for (int i = 0; i < N; i++)
        sum += quotient[i];
    printf("%ld\n", sum);
    return 0;
}
