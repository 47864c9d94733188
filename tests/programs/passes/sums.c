/* Folds between passes: what a program reads is what the serial one does. */
#include <stdio.h>
#include <stdlib.h>

struct pair {
    int row, column;
    unsigned value;
};
enum { N = 6000, ROWS = 90, COLUMNS = 70, P = 10007 };
static struct pair r[N];
static unsigned *W, *H;

#define STEP_W W[r[i].row] = (W[r[i].row] * (r[i].value + mix) + H[r[i].column]) % P
#define STEP_H H[r[i].column] = (H[r[i].column] + W[r[i].row]) % P

static void every_third(long n, int passes) {
    for (int pass = 0; pass < passes; ++pass) {
        unsigned mix = (unsigned)pass, sum = 0;
        /* flow */
#pragma orrery parallel
        for (long i = 0; i < n; ++i) {
            STEP_W;
            STEP_H;
            sum += W[r[i].row];
        }
        if (pass % 3 == 2)
            printf("a %u\n", sum);
    }
}

static unsigned behind(long n, int passes) {
    unsigned mix = 3, sum = 0;
    for (int pass = 0; pass < passes; ++pass) {
        mix = mix * 5 % 11;
        sum = mix;
        /* flow */
#pragma orrery parallel
        for (long i = 0; i < n; ++i) {
            STEP_W;
            STEP_H;
            sum += W[r[i].row];
        }
    }
    return sum;
}

static void every_pass(long n, int passes) {
    for (int pass = 0; pass < passes; ++pass) {
        unsigned mix = 2, sum = 0;
        /* wait: printf is called */
#pragma orrery parallel
        for (long i = 0; i < n; ++i) {
            STEP_W;
            STEP_H;
            sum += W[r[i].row];
        }
        printf("b %u\n", sum);
    }
}

static unsigned goes_on(long n, int passes) {
    unsigned mix = 2, sum = 0;
    for (int pass = 0; pass < passes; ++pass) {
        /* wait: every pass goes on with the sum */
#pragma orrery parallel
        for (long i = 0; i < n; ++i) {
            STEP_W;
            STEP_H;
            sum += W[r[i].row];
        }
    }
    return sum;
}

/* What is printed between the new beginning and the loop is the beginning. */
static void read_before(long n, int passes) {
    unsigned mix = 2, sum = 7;
    for (int pass = 0; pass < passes; ++pass) {
        sum = 1;
        if (pass % 2)
            printf("c %u\n", sum);
        /* wait: every pass goes on with the sum */
#pragma orrery parallel
        for (long i = 0; i < n; ++i) {
            STEP_W;
            STEP_H;
            sum += W[r[i].row];
        }
    }
    printf("c %u\n", sum);
}

/* Set anew behind the loop: that is what it is in the end. */
static void set_behind(long n, int passes) {
    unsigned mix = 2, sum = 7;
    for (int pass = 0; pass < passes; ++pass) {
        sum = 1;
        /* flow */
#pragma orrery parallel
        for (long i = 0; i < n; ++i) {
            STEP_W;
            STEP_H;
            sum += W[r[i].row];
        }
        if (pass % 2)
            sum = 5;
        if (pass == 4)
            printf("d %u\n", sum);
    }
    printf("d %u\n", sum);
}

/* Not every round has a pass. */
static void sometimes(long n, int passes) {
    unsigned mix = 2, sum = 7;
    for (int pass = 0; pass < passes; ++pass) {
        sum = (unsigned)pass;
        if (pass % 3) {
            /* wait: every pass goes on with the sum */
#pragma orrery parallel
            for (long i = 0; i < n; ++i) {
                STEP_W;
                STEP_H;
                sum += W[r[i].row];
            }
        }
        if (pass % 4 == 3)
            printf("e %u\n", sum);
    }
}

static void skipped(long n, int passes) {
    unsigned mix = 2, sum = 7;
    for (int pass = 0; pass < passes; ++pass) {
        if (pass % 4 == 3)
            printf("f %u\n", sum);
        if (pass % 5 == 3)
            continue;
        sum = 0;
        /* flow */
#pragma orrery parallel
        for (long i = 0; i < n; ++i) {
            STEP_W;
            STEP_H;
            sum += W[r[i].row];
        }
        if (pass % 3)
            continue;
        printf("f %u\n", sum);
    }
    printf("f %u\n", sum);
}

/* A range without iterations leaves the beginning. */
static void empty(long n, int passes) {
    unsigned mix = 2, sum = 7;
    for (int pass = 0; pass < passes; ++pass) {
        long m = n;
        if (pass % 2)
            m = 0;
        sum = (unsigned)pass;
        /* wait: what the loop touches depends on `m` */
#pragma orrery parallel
        for (long i = 0; i < m; ++i) {
            STEP_W;
            STEP_H;
            sum += W[r[i].row];
        }
        if (pass % 3)
            printf("g %u\n", sum);
    }
}

/* Read behind the loop over passes, inside of another one, where it is declared. */
static unsigned by_rounds(long n, int rounds, int passes) {
    unsigned mix = 2, all = 0;
    for (int round = 0; round < rounds; ++round) {
        unsigned sum = 0;
        for (int pass = 0; pass < passes; ++pass) {
            sum = 0;
            /* flow */
#pragma orrery parallel
            for (long i = 0; i < n; ++i) {
                STEP_W;
                STEP_H;
                sum += W[r[i].row];
            }
        }
        all = all * 31 + sum;
        if (round == 2)
            return all + sum;
    }
    return all;
}

/* What the declaration gives it is read, and not what the pass before left. */
static unsigned first_value(long n, int passes) {
    unsigned mix = 2, all = 0;
    for (int pass = 0; pass < passes; ++pass) {
        unsigned sum = 5;
        if (pass % 2)
            all = all * 31 + sum;
        sum = 0;
        /* wait: `sum` begins anew, which the loop folds into */
#pragma orrery parallel
        for (long i = 0; i < n; ++i) {
            STEP_W;
            STEP_H;
            sum += W[r[i].row];
        }
        if (pass % 3 == 2)
            all = all * 31 + sum;
    }
    return all;
}

static unsigned mixed(const unsigned *x, int n) {
    unsigned sum = 0;
    for (int i = 0; i < n; ++i)
        sum = sum * 31 + x[i];
    return sum;
}

int main(void) {
    W = malloc(ROWS * sizeof *W), H = malloc(COLUMNS * sizeof *H);
    for (int i = 0; i < ROWS; ++i)
        W[i] = (unsigned)i + 1;
    for (int i = 0; i < COLUMNS; ++i)
        H[i] = (unsigned)(i * i) + 1;
    for (int i = 0; i < N; ++i)
        r[i] = (struct pair){i / (N / ROWS + 1), i % (N / ROWS + 1), (unsigned)(i * 7919 % 31)};
    every_third(N, 11);
    printf("%u\n", behind(N, 9));
    every_pass(N, 3);
    printf("%u\n", goes_on(N, 5));
    read_before(N, 6);
    set_behind(N, 8);
    sometimes(N, 9);
    skipped(N, 12);
    empty(N, 6);
    printf("%u %u\n", by_rounds(N, 3, 4), by_rounds(N, 2, 3));
    printf("%u\n", first_value(N, 7));
    printf("%u %u\n", mixed(W, ROWS), mixed(H, COLUMNS));
    free(W), free(H);
    return 0;
}
