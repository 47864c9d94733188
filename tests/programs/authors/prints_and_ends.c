/*
 * Functions of the marked loop report to two streams, format text of their own, and end the program for bad rows.
 * loop: parallel reduction
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double w[4];
    int n;
} cell;

static int every = 250;
static FILE *out;

static void note(const char *what, int i, double v) {
    if (i % every == 0)
        fprintf(stderr, "%s %d: %g\n", what, i, v);
}

static void line(FILE *to, int i) {
    char buf[64];
    snprintf(buf, sizeof buf, "row %d of many", i);
    fputs(buf, to);
    putc('\n', to);
}

static void die(const char *message, int code) {
    fprintf(stderr, "fatal: %s\n", message);
    if (code == 8)
        abort();
    exit(code);
}

static void *allocate(size_t bytes) {
    void *p = malloc(bytes);
    if (!p)
        die("out of memory", 3);
    return p;
}

static double step(cell *c, double x, int i) {
    double s = 0;
    for (int k = 0; k < 4; k++) {
        c->w[k] += x * k;
        s += c->w[k];
    }
    c->n++;
    note("step", i, s);
    if (i % 400 == 7)
        line(out, i);
    return s;
}

/* usage: prints_and_ends [BAD [FAULTS]]: the row BAD ends the program, from FAULTS on there is nothing behind rows */
int main(int argc, char **argv) {
    int bad = argc > 1 ? atoi(argv[1]) : -1, faults = argc > 2 ? atoi(argv[2]) : -1, n = 2000;
    double **x = allocate(n * sizeof *x), total = 0;
    cell *c = calloc(n, sizeof *c);
    out = stdout;
    for (int i = 0; i < n; i++) {
        x[i] = allocate(sizeof **x);
        *x[i] = i % 13;
    }
    if (bad >= 0) {
        *x[bad] = -1;
        *x[(bad + 300) % n] = -2;
    }
    for (int i = faults; i >= 0 && i < n; i++)
        x[i] = NULL;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        char text[40];
        if (*x[i] < 0)
            die(*x[i] < -1 ? "very negative" : "negative", *x[i] < -1 ? 8 : 7);
        total += step(&c[i], *x[i], i);
        snprintf(text, sizeof text, "<%d>", i);
        if (i % 300 == 0) {
            printf("%s\n", text);
            puts(text);
        }
    }
    printf("%g %g\n", total, c[77].w[2]);
    return 0;
}
