/* evaluated: 5 */
/* What stands behind a condition that no iteration changes (a report, the end of the program) comes in some
 * runs of the loop: those run as they are written, and their output stays in order. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 3000, U = 50, I = 40, K = 4 };
#define LIMIT 2500
struct options {
    int verbose;
    FILE *log;
};
static double x[N], y[N], W[U][K], H[I][K];
static struct {
    int u, i;
    double v;
} r[N];

static void report(int epoch, int i, double v) {
    fprintf(stdout, "epoch %d row %d %g\n", epoch, i, v);
}

static void die(const char *what, int code) {
    fprintf(stderr, "%s\n", what);
    exit(code);
}

/* `every` is 0 for quiet runs: then nothing is divided by it. */
static double factors(int epoch, int every, int level) {
    double loss = 0;
#pragma orrery parallel
    for (int n = 0; n < N; ++n) {
        double *w = W[r[n].u], *h = H[r[n].i], e = r[n].v;
        if (level > 3)
            die("level", 7);
        for (int k = 0; k < K; ++k)
            e -= w[k] * h[k];
        for (int k = 0; k < K; ++k) {
            double t = w[k];
            w[k] += .01 * e * h[k];
            h[k] += .01 * e * t;
        }
        loss += 1;
        if (every && epoch % every == 2 && n % 1000 == 0)
            report(epoch, n, e);
        if (n % 2000 == 0)
            printf("n %d %.5f\n", n, e);
    }
    return loss;
}

/* Nothing between the passes looks at what they write. */
static void pass_by(const struct options *o, int pass, double *restrict a, const double *restrict b,
                    int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        a[i] += b[i] * pass;
        if (o->verbose > 1 && pass == 3 && i % 700 == 0)
            fprintf(o->log, "%d:%g\n", i, a[i]);
        if (o->verbose > 5)
            abort();
    }
}

static void drawn(int epoch, double *restrict a, int *last) {
    int i, at = -1;
    double best = -1;
#pragma orrery parallel
    for (i = 0; i < N; ++i) {
        a[i] = x[i] * 2 + epoch;
        if (epoch == 5)
            a[i] += rand() % 7;
        if (a[i] > best) {
            best = a[i];
            at = i;
        }
    }
    *last = i + at;
}

static void limited(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        if (n > LIMIT) {
            fflush(stdout);
            fprintf(stderr, "too many: %d\n", n);
            exit(3);
        }
        y[i] = x[i] * 2;
    }
}

int main(int argc, char **argv) {
    struct options o = {2, stdout};
    int last = 0;
    for (int i = 0; i < N; ++i) {
        x[i] = i % 9;
        r[i].u = (i * 7 + i / 13) % U;
        r[i].i = (i * 11 + i / 7) % I;
        r[i].v = i % 10 * .1;
    }
    for (int i = 0; i < U * K; ++i)
        W[i / K][i % K] = i % 7 * .1;
    for (int i = 0; i < I * K; ++i)
        H[i / K][i % K] = i % 5 * .1;
    for (int epoch = 0; epoch < 7; ++epoch) {
#pragma orrery parallel
        for (int i = 0; i < N; ++i) {
            y[i] = x[i] * 2 + epoch;
            if (epoch == 5 && i % 900 == 7)
                report(epoch, i, y[i]);
        }
        printf("%d %g %.12f\n", epoch, factors(epoch, epoch < 3 ? 0 : 3, 0), W[3][1]);
    }
    for (int pass = 0; pass < 6; ++pass)
        pass_by(&o, pass, x, y, N);
    srand(3);
    for (int epoch = 4; epoch < 7; ++epoch) {
        drawn(epoch, y, &last);
        printf("%d %g %g %d\n", last, x[2999], y[2999], rand() % 100);
    }
    limited(1000);
    if (argc > 1 && atoi(argv[1]) == 3)
        limited(2700);
    if (argc > 1)
        factors(0, 0, 4);
    printf("%g\n", y[999]);
    return 0;
}
