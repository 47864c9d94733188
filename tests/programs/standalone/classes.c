/*
 * One loop of each kind that can stand alone, on numbers whose last bits tell in which order they
 * were added: what is printed is the same only where blocks and their order are.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { USERS = 311, ITEMS = 173, COUNT = 34000, K = 5, SIDE = 67 };

struct rating {
    int user, item, day;
    float value;
};

static unsigned state = 7;

static unsigned draw(unsigned below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

static double *numbers(long count) {
    double *x = malloc((size_t)count * sizeof *x);
    for (long i = 0; i < count; ++i)
        x[i] = draw(1000000) / 1e6 + 1e-3;
    return x;
}

static struct rating *ratings(void) {
    struct rating *r = malloc(COUNT * sizeof *r);
    for (long n = 0; n < COUNT; ++n)
        r[n] = (struct rating){(int)draw(USERS), (int)draw(ITEMS), (int)draw(29), (float)draw(100)};
    return r;
}

/* Each bit counts. */
static void show(const char *what, const double *x, long count) {
    unsigned long hash = 14695981039346656037ul;
    for (long i = 0; i < count * (long)sizeof *x; ++i)
        hash = (hash ^ ((const unsigned char *)x)[i]) * 1099511628211ul;
    printf("%s %016lx\n", what, hash);
}

/* ---- ranges ---- */

static void sums(const double *x, long n) {
    double sum = 0, least = 1e9, product = 1;
    double *bins = calloc(16, sizeof *bins);
    long at = -1;
#pragma orrery parallel unordered extent(bins : 16)
    for (long i = 0; i < n; ++i) {
        sum += x[i] * x[i];
        product *= 1 + x[i] * 1e-3;
        bins[i % 16] += x[i];
        if (x[i] < least) {
            least = x[i];
            at = i;
        }
    }
    printf("sums %a %a %a %ld\n", sum, product, least, at);
    show("bins", bins, 16);
    free(bins);
}

/* Every operator of the C library, in each of its types. */
static void library(const double *x, long n) {
    float f_least = INFINITY, f_most = -INFINITY, f_root = 0;
    double least = INFINITY, most = -INFINITY, root = 0;
    long double l_least = INFINITY, l_most = -INFINITY, l_root = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        f_least = fminf(f_least, (float)x[i]);
        f_most = fmaxf(f_most, (float)x[i]);
        f_root = hypotf(f_root, (float)x[i]);
        least = fmin(least, x[i]);
        most = fmax(most, x[i]);
        root = hypot(root, x[i]);
        l_least = fminl(l_least, x[i] * .1L);
        l_most = fmaxl(l_most, x[i] * .1L);
        l_root = hypotl(l_root, x[i] * .1L);
    }
    printf("library %a %a %a %a %a %a %La %La %La\n", f_least, f_most, f_root, least, most, root,
           l_least, l_most, l_root);
}

static void triangle(double *y, const double *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        for (long j = 0; j < i; ++j)
            y[i] += x[j] / (double)(i - j);
}

/* ---- keys ---- */

static void by_user(const struct rating *r, double *w) {
#pragma orrery parallel
    for (long n = 0; n < COUNT; ++n)
        w[r[n].user] = w[r[n].user] * .999 + r[n].value;
}

static double factorize(const struct rating *r, double *w, double *h) {
    double loss = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < COUNT; ++n) {
        double e = r[n].value / 50;
        for (int k = 0; k < K; ++k)
            e -= w[r[n].user * K + k] * h[r[n].item * K + k];
        loss += e * e;
        for (int k = 0; k < K; ++k) {
            double old = w[r[n].user * K + k];
            w[r[n].user * K + k] += .01 * e * h[r[n].item * K + k];
            h[r[n].item * K + k] += .01 * e * old;
        }
    }
    return loss;
}

static void three(const struct rating *r, double *a, double *b, double *c) {
#pragma orrery parallel unordered
    for (long n = 0; n < COUNT; ++n) {
        double e = r[n].value / 50 - a[r[n].user] * b[r[n].item] * c[r[n].day];
        a[r[n].user] += .01 * e * b[r[n].item];
        b[r[n].item] += .01 * e * c[r[n].day];
        c[r[n].day] += .01 * e * a[r[n].user];
    }
}

static void pairs(const struct rating *r, double *x) {
#pragma orrery parallel unordered
    for (long n = 0; n < COUNT; ++n) {
        double e = .01 * (x[r[n].user] - x[r[n].item] * 1.5);
        x[r[n].user] -= e;
        x[r[n].item] += e;
    }
}

/* ---- merged ---- */

static double steps[USERS];

static void step(double *x, double update, long i) {
    steps[i] += update * update;
    *x += update / (1 + steps[i]);
}

static void merged(const struct rating *r, double *w, double *v, int *seen) {
#pragma orrery parallel unordered relax(w) relax(add : seen) buffer(v : step) sync(iterations = 40)
    for (long n = 0; n < COUNT; ++n) {
        double e = .01 * (w[r[n].user] + w[r[n].item] - r[n].value / 50);
        w[r[n].user] -= e;
        w[r[n].item] -= e * v[r[n].user];
        v[r[n].item] += e;
        seen[r[n].day] += r[n].user;
    }
}

/* Few rows: only some merges take lines that are not hot. */
static void merged_seldom(const struct rating *r, double *w) {
#pragma orrery parallel unordered relax(w) grid(3, 1)
    for (long n = 0; n < COUNT; ++n) {
        double e = .01 * (w[r[n].user] + w[r[n].item] - r[n].value / 50);
        w[r[n].user] -= e;
        w[r[n].item] -= e;
    }
}

/* ---- the loop's own order ---- */

static void solve(const int *column, const int *start, double *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        double sum = x[i];
        for (int p = start[i]; p < start[i + 1]; ++p)
            sum -= .1 * x[column[p]];
        x[i] = sum;
    }
}

static void sweep(double (*u)[SIDE]) {
#pragma orrery parallel
    for (int i = 1; i < SIDE - 1; ++i)
        for (int j = 1; j < SIDE - 1; ++j)
            u[i][j] = .25 * (u[i - 1][j] + u[i][j - 1] + u[i + 1][j] + u[i][j + 1]);
}

static void triangular(const double *x) {
    enum { ROWS = 1500 };
    int *start = malloc((ROWS + 1) * sizeof *start), *column = malloc(8 * ROWS * sizeof *column);
    double *y = malloc(ROWS * sizeof *y);
    start[0] = 0;
    for (int i = 0; i < ROWS; ++i) {
        y[i] = x[i];
        start[i + 1] = start[i];
        for (int k = 0; k < 4 && i > 0; ++k)
            column[start[i + 1]++] = (int)draw((unsigned)i);
    }
    for (int step = 0; step < 3; ++step) {
        solve(column, start, y, ROWS);
        column[step] = 0;
    }
    show("levels", y, ROWS);
    free(y);
    free(column);
    free(start);
}

int main(void) {
    struct rating *r = ratings();
    double *x = numbers(40000), *w = numbers(USERS * K), *h = numbers(ITEMS * K);
    double *a = numbers(USERS), *b = numbers(ITEMS), *c = numbers(29), *y = calloc(900, sizeof *y);
    sums(x, 40000);
    library(x, 40000);
    triangle(y, x, 900);
    show("triangle", y, 900);
    by_user(r, a);
    show("by key", a, USERS);
    for (int epoch = 0; epoch < 3; ++epoch) {
        printf("loss %a\n", factorize(r, w, h));
        r[epoch].value += 1;
        r[epoch].user = 0;
    }
    show("two keys", w, USERS * K);
    for (long i = 0; i < USERS; ++i)
        a[i] = x[i];
    three(r, a, b, c);
    show("three keys", c, 29);
    pairs(r, a);
    show("pairs", a, USERS);
    int *seen = calloc(29, sizeof *seen);
    double *v = numbers(USERS);
    merged(r, a, v, seen);
    show("relaxed", a, USERS);
    merged_seldom(r, a);
    show("merged seldom", a, USERS);
    show("buffered", v, USERS);
    printf("counted %d\n", seen[7]);
    free(seen);
    free(v);
    triangular(x);
    sweep((double(*)[SIDE])x);
    show("wavefront", x, SIDE * SIDE);
    free(r);
    free(x);
    free(w);
    free(h);
    free(a);
    free(b);
    free(c);
    free(y);
    return 0;
}
