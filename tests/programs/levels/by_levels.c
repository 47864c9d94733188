/* Loops by levels, for several ranks: rows, elements, members, arrays on the stack and behind
 * pointers, two arrays, a sum, a row that ends before its stride does. Prints what they leave. */
#include <stdio.h>
#include <stdlib.h>

struct edge {
    int from, to;
    double weight;
};
struct cell {
    double value;
    int visits;
};
struct model {
    double *bias;
};
enum { NODES = 700, EDGES = 9000, K = 3, LDA = 5 };
static double fixed[NODES];

static double mixed(const double *x, long n) {
    double sum = 0;
    for (long i = 0; i < n; ++i)
        sum = sum * .75 + x[i];
    return sum;
}

static void rows(double *x, const struct edge *e, long n, double rate) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        for (int k = 0; k < K; ++k) {
            double d = x[(long)e[i].from * LDA + k] - x[(long)e[i].to * LDA + k];
            x[(long)e[i].to * LDA + k] += rate * e[i].weight * d;
        }
}

static double cells(struct cell *c, const struct edge *e, long n) {
    double most = 0;
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        c[e[i].to].value = c[e[i].to].value * .5 + c[e[i].from].value * e[i].weight;
        c[e[i].to].visits += c[e[i].from].visits % 3 + 1;
        if (c[e[i].to].value > most)
            most = c[e[i].to].value;
    }
    return most;
}

static void two(double *x, const struct model *m, const struct edge *e, long n) {
    double *bias = m->bias;
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        x[e[i].to] = x[e[i].to] * .9 + bias[e[i].from];
        bias[e[i].to] = bias[e[i].to] * .8 + .1 * x[e[i].from];
    }
}

static void solve(const int *ptr, const int *column, const double *value, const double *b,
                  double *x, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        double sum = b[i];
        for (int p = ptr[i]; p < ptr[i + 1]; ++p)
            sum -= value[p] * x[column[p]];
        x[i] = sum * .5;
    }
}

static void upward(const int *ptr, const int *column, const double *value, double *x, int n) {
#pragma orrery parallel
    for (int i = n - 1; i >= 0; --i)
        for (int p = ptr[i]; p < ptr[i + 1]; ++p)
            x[i] -= value[p] * x[column[p]];
}

/* On the stack: other ranks have copies elsewhere. */
static double inside(const struct edge *e, long n) {
    double y[NODES];
    for (int i = 0; i < NODES; ++i)
        y[i] = i % 5;
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        y[e[i].to] = y[e[i].to] * .5 + y[e[i].from] * .4;
    return mixed(y, NODES);
}

int main(void) {
    struct edge *e = malloc(EDGES * sizeof *e);
    double *x = malloc(((NODES - 1) * LDA + K) * sizeof *x), *heap = malloc(NODES * sizeof *heap);
    struct cell *c = malloc(NODES * sizeof *c);
    struct model m = {malloc(NODES * sizeof(double))};
    int *ptr = malloc((NODES + 1) * sizeof *ptr), *column = malloc(NODES * 4 * sizeof *column);
    double *value = malloc(NODES * 4 * sizeof *value);
    unsigned s = 7;
    for (int i = 0; i < EDGES; ++i) {
        s = s * 1664525u + 1013904223u;
        e[i] = (struct edge){(int)(s >> 8) % NODES, (int)(s >> 12) % NODES, (s >> 20) / 9000.};
    }
    for (int i = 0; i < (NODES - 1) * LDA + K; ++i)
        x[i] = i % 37;
    ptr[0] = 0;
    for (int i = 0; i < NODES; ++i) {
        c[i] = (struct cell){i % 11, i % 7};
        m.bias[i] = heap[i] = fixed[i] = i % 13;
        ptr[i + 1] = ptr[i];
        for (int k = 0; k < 3 && i > 20; ++k) {
            s = s * 1664525u + 1013904223u;
            column[ptr[i + 1]] = (int)(s >> 9) % (i - 15);
            value[ptr[i + 1]++] = (s >> 20) / 20000.;
        }
    }
    for (int pass = 0; pass < 3; ++pass) {
        rows(x, e, EDGES, .01 * pass);
        printf("%.17g\n", mixed(x, (NODES - 1) * LDA + K));
        printf("%.17g %d\n", cells(c, e, EDGES), c[5].visits);
        two(heap, &m, e, EDGES);
        two(fixed, &m, e, EDGES);
        printf("%.17g %.17g %.17g\n", mixed(heap, NODES), mixed(fixed, NODES),
               mixed(m.bias, NODES));
        solve(ptr, column, value, heap, fixed, NODES);
        heap[3] += inside(e, EDGES);
        upward(ptr, column, value, fixed, NODES);
        printf("%.17g\n", mixed(fixed, NODES));
    }
    free(e), free(x), free(c), free(m.bias), free(heap), free(ptr), free(column), free(value);
    return 0;
}
