/*
 * What is done where something is wrong, or when asked for, and the same in all iterations: printing,
 * ending the program, drawing a number. The run looks before the loop whether that comes.
 * says: runs serially: .*verbose
 * says: runs serially: .*kind
 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 4000 };
static double x[N], sum;

struct model {
    int verbose, kind, steps;
};

/* `m` may be NULL: then its members are not read. */
__attribute__((noinline)) static void scale(const struct model *m, int n) {
    for (int i = 0; i < n; i++) {
        if (m && m->verbose)
            printf("%d: %g\n", i, x[i]);
        x[i] = x[i] * .5 + i;
    }
}

static double of_kind(double v, int kind) {
    if (kind != 1 && kind != 2) {
        printf("kind %d\n", kind);
        exit(kind == 5 ? 0 : 3);
    }
    return kind == 1 ? v * .75 : v + 1;
}

__attribute__((noinline)) static void convert(double *to, int n, int kind) {
    for (int i = 0; i < n; i++)
        to[i] = of_kind(to[i] + i, kind);
}

/* Inside of a loop that may have no iteration, behind a division. */
__attribute__((noinline)) static void inner(double *to, int n, int m, int by) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            if (7 / by == 7)
                printf("%d %d\n", i, j);
        to[i] += m;
    }
}

/* The flag is changed by the loop itself. */
__attribute__((noinline)) static void changes(struct model *m, int n) {
    for (int i = 0; i < n; i++) {
        if (m->steps > N - 3)
            printf("step %d\n", m->steps);
        m->steps++;
        x[i] += 1;
    }
}

/* A number is drawn in both branches' way. */
__attribute__((noinline)) static void noisy(double *to, int n, int noise) {
    for (int i = 0; i < n; i++) {
        double v = i;
        if (noise > 2)
            v += rand() % 10;
        else
            v *= 2;
        to[i] = to[i] * .5 + v;
    }
}

static void say(const char *what) {
    sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * .999 + x[i];
    printf("%s %.17g\n", what, sum);
}

int main(void) {
    struct model quiet = {0, 1, 0}, loud = {1, 2, 0};
    for (int i = 0; i < N; i++)
        x[i] = i % 17;
    scale(NULL, N);
    scale(&quiet, N);
    say("quiet");
    scale(&loud, 5);
    scale(&loud, N / 2);
    say("loud");
    convert(x, N, quiet.kind);
    convert(x, N, loud.kind);
    say("convert");
    inner(x, N, 0, 0);
    inner(x, N, 2, 2);
    inner(x, 2, 2, 1);
    say("inner");
    changes(&quiet, N);
    say("changes");
    srand(3);
    noisy(x, N, 0);
    noisy(x, N, 3);
    say("noisy");
    convert(x, N, 5);
}
