/* Serial code between passes: what it may do, and where it waits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
    int row, column;
    unsigned value;
};
struct options {
    unsigned mix;
    int passes;
};
enum { N = 5000, ROWS = 80, COLUMNS = 75, P = 10007 };
static const unsigned mixes[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static int limit = 7;

#define STEP_W(i) W[r[i].row] = (W[r[i].row] * (r[i].value + mix) + H[r[i].column]) % P
#define STEP_H(i) H[r[i].column] = (H[r[i].column] + W[r[i].row]) % P

static void simple(unsigned *W, unsigned *H, const struct pair *r, long n) {
    unsigned mix = 1;
    struct options o = {2, 3};
    for (int pass = 0; pass < limit; ++pass) {
        float root = sqrtf((float)pass);
        mix = mixes[pass % 8] + (unsigned)root + o.mix;
        ++o.mix;
        /* flow */
#pragma orrery parallel
        for (long i = 0; i < n; ++i) {
            STEP_W(i);
            STEP_H(i);
        }
    }
}

static void while_and_if(unsigned *W, unsigned *H, const struct pair *r, long n, int passes) {
    unsigned mix = 7;
    if (passes > 2)
        while (passes-- > 0)
            if (passes % 3 != 1)
    /* flow */
#pragma orrery parallel
                for (long i = 0; i < n; ++i) {
                    STEP_W(i);
                    STEP_H(i);
                }
            else
                mix += 2;
    else
        mix = 0;
    printf("%u %u\n", mix, W[0]);
}

/* The wave in the inner loop goes on from one round of the outer loop to the next. */
static unsigned nested(unsigned *W, unsigned *H, const struct pair *r, long n) {
    unsigned mix = 7;
    int round = 0;
    do {
        mix += 3;
        for (int pass = 0; pass < 3; ++pass) {
            ++mix;
            /* flow */
#pragma orrery parallel
            for (long i = 0; i < n; ++i) {
                STEP_W(i);
                STEP_H(i);
            }
            if (mix % 13 == 0)
                return W[1] + H[1];
        }
        if (round == 2)
            W[3] += 5;
    } while (++round < 4);
    return W[2] + H[2];
}

static void reads(unsigned *W, unsigned *H, const struct pair *r, long n, int passes) {
    unsigned mix = 5;
    for (int pass = 0; pass < passes; ++pass) {
        /* wait: `W[1]` is read */
#pragma orrery parallel
        for (long i = 0; i < n; ++i) {
            STEP_W(i);
            STEP_H(i);
        }
        mix += W[1] % 3;
    }
}

static void reads_rarely(unsigned *W, unsigned *H, const struct pair *r, long n, int passes) {
    unsigned mix = 5, *looks = W + 1;
    for (int pass = 0; pass < passes; ++pass) {
        /* flow */
#pragma orrery parallel
        for (long i = 0; i < n; ++i) {
            STEP_W(i);
            STEP_H(i);
        }
        if (pass % 4 == 1) {
            unsigned seen = *looks;
            mix += seen % 3;
        } else if (pass % 4 == 2)
            mix += *looks % 5;
    }
}

static unsigned shared_mix = 3;
static void global(unsigned *W, unsigned *H, const struct pair *r, long n, int passes) {
    for (int pass = 0; pass < passes; ++pass) {
        shared_mix += 2;
        /* wait: `shared_mix` is changed */
#pragma orrery parallel
        for (long i = 0; i < n; ++i) {
            unsigned mix = shared_mix;
            STEP_W(i);
            STEP_H(i);
        }
    }
}

static void through_pointer(unsigned *W, unsigned *H, const struct pair *r, long n,
                            struct options *o) {
    for (int pass = 0; pass < 5; ++pass) {
        o->mix += 2;
        /* wait: `o->mix` is changed */
#pragma orrery parallel
        for (long i = 0; i < n; ++i) {
            unsigned mix = o->mix;
            STEP_W(i);
            STEP_H(i);
        }
    }
}

static void led_to(unsigned *W, unsigned *H, const struct pair *r, long n) {
    unsigned value = 3, *leads = &value;
    for (int pass = 0; pass < 5; ++pass) {
        value += 2;
        /* wait: `value` is changed */
#pragma orrery parallel
        for (long i = 0; i < n; ++i) {
            unsigned mix = *leads;
            STEP_W(i);
            STEP_H(i);
        }
    }
}

/* Other places in every pass: what did not meet inside of one may meet another one's. */
static void moves(unsigned *x, const unsigned *by, long n) {
    for (long off = 0; off < 12; ++off) {
        /* wait: what the loop touches depends on `off` */
#pragma orrery parallel
        for (long i = 0; i < n; ++i)
            x[i + off] = (x[i + off] * 3 + by[i]) % P;
    }
}

static void swaps(unsigned *x, unsigned *y, long n) {
    for (long pass = 0; pass < 5; ++pass) {
        unsigned *z = x;
        x = y;
        y = z;
        /* wait: what the loop touches depends on */
#pragma orrery parallel
        for (long i = 1; i < n; ++i)
            x[i] = (y[i - 1] * 3 + 1) % P;
    }
}

static void independent(unsigned *x, long n, int passes) {
    for (int pass = 0; pass < passes; ++pass) {
        unsigned by = (unsigned)pass * 3 + 1;
        /* flow */
#pragma orrery parallel
        for (long i = 0; i < n; ++i)
            x[i] = (x[i] * by + 1) % P;
    }
}

static void declared_inside(unsigned *x, long n, int passes) {
    for (int pass = 0; pass < passes; ++pass) {
        unsigned add[4] = {1, 2, (unsigned)pass, 4};
        /* wait: `add` is declared */
#pragma orrery parallel
        for (long i = 0; i < n; ++i)
            x[i] = (x[i] * 3 + add[i % 4]) % P;
    }
}

static void step_counter(unsigned *x, long n) {
    long t = 0;
    for (unsigned pass = 1; pass < 5; ++pass) {
        /* wait: `t` goes on */
#pragma orrery parallel
        for (long i = 0; i < n; ++i) {
            x[t] = (x[t] * 3 + pass) % P;
            t++;
        }
    }
}

/* No two iterations of one pass meet, those of two do. */
static void red_black(unsigned *x, long n) {
    for (int pass = 0; pass < 7; ++pass) {
        long phase = pass % 2;
        /* wait: what the loop touches depends on `phase` */
#pragma orrery parallel
        for (long i = 1; i < n - 1; ++i)
            if (i % 2 == phase)
                x[i] = (x[i - 1] * 3 + x[i + 1]) % P;
    }
}

/* By levels: the records come in no order of the keys. */
static void by_levels(unsigned *W, unsigned *H, const struct pair *r, long n, int passes) {
    for (int pass = 0; pass < passes; ++pass) {
        unsigned mix = 2 + (unsigned)pass;
        /* flow */
#pragma orrery parallel
        for (long i = n - 1; i >= 0; --i) {
            STEP_W(i);
            STEP_H(i);
        }
    }
}

static unsigned mixed(const unsigned *x, int n) {
    unsigned sum = 0;
    for (int i = 0; i < n; ++i)
        sum = sum * 31 + x[i];
    return sum;
}

int main(void) {
    struct pair *r = malloc(N * sizeof *r);
    unsigned *W = malloc(ROWS * sizeof *W), *H = malloc(COLUMNS * sizeof *H);
    unsigned *x = malloc((N + 12) * sizeof *x), *y = malloc((N + 12) * sizeof *y);
    struct options o = {4, 5};
    for (int i = 0; i < ROWS; ++i)
        W[i] = (unsigned)i + 1;
    for (int i = 0; i < COLUMNS; ++i)
        H[i] = (unsigned)(i * i) + 1;
    for (int i = 0; i < N; ++i)
        r[i] = (struct pair){i / (N / ROWS + 1), i % (N / ROWS + 1), (unsigned)(i * 7919 % 31)};
    for (int i = 0; i < N + 12; ++i)
        x[i] = y[i] = (unsigned)i;
    simple(W, H, r, N);
    printf("%u\n", mixed(W, ROWS));
    while_and_if(W, H, r, N, 8);
    printf("%u\n", nested(W, H, r, N));
    reads(W, H, r, N, 5);
    reads_rarely(W, H, r, N, 9);
    printf("%u\n", mixed(W, ROWS));
    global(W, H, r, N, 4);
    through_pointer(W, H, r, N, &o);
    led_to(W, H, r, N);
    printf("%u %u\n", mixed(W, ROWS), mixed(H, COLUMNS));
    moves(x, y, N);
    swaps(x, y, N);
    independent(x, N, 6);
    declared_inside(x, N, 4);
    step_counter(x, N / 4);
    printf("%u %u\n", mixed(x, N), mixed(y, N));
#ifndef RANKS /* what cannot be divided */
    red_black(x, N);
    by_levels(W, H, r, N, 5);
#endif
    printf("%u %u %u\n", mixed(W, ROWS), mixed(H, COLUMNS), mixed(x, N));
    free(r), free(W), free(H), free(x), free(y);
    return 0;
}
