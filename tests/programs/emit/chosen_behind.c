/* emit: 5 */
/* The best, and what belongs to it, kept in a structure that is reached by pointers. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 5000, M = 7 };

struct best {
    int at;
    double value;
    short of;
};

struct model {
    const double *x;
    struct best *best, least;
    struct {
        struct best *last;
    } inner;
};

static double x[N];
static float rows[N][M];

static void greatest(struct best *b, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] > b->value) {
            b->value = x[i];
            b->at = i;
        }
}

static void of_model(struct model *m) {
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        if (m->best->value < m->x[i]) {
            m->best->of = 3, m->best->value = m->x[i];
            m->best->at = i;
        }
}

static int last_of_equals(struct model *m) {
    int seen = 0, where = -1;
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        seen += x[i] > 70;
        if (x[i] <= m->inner.last->value) {
            m->inner.last->at = i;
            m->inner.last->value = x[i];
            where = i + 1;
        }
    }
    return seen + where;
}

static void inside(struct model *m) {
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        if (x[i] < m->least.value) {
            m->least.value = x[i];
            m->least.at = i;
        }
}

static void two(struct best *a, struct best *b) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        if (rows[i][0] < a->value) {
            a->value = rows[i][0];
            a->at = i;
        }
        if (rows[i][1] > b->value) {
            b->value = rows[i][1];
            b->at = i;
        }
    }
}

static void show(const char *name, const struct best *b) {
    printf("%s %a %d %d\n", name, b->value, b->at, b->of);
}

int main(void) {
    struct best one = {-1, -1, 9}, other = {-1, -1, 9}, last = {-1, 1e9, 9}, least = {-1, -1e9, 9};
    struct model m = {x, &other, {-1, 1e9, 9}, {&last}};
    for (int i = 0; i < N; i++) {
        x[i] = (double)(i * 7919L % 997) / 7;
        for (int j = 0; j < M; j++)
            rows[i][j] = (float)((i * 13L + j * 7) % 501) - 250;
    }
    greatest(&one, N);
    greatest(NULL, 0);
    of_model(&m);
    printf("%d\n", last_of_equals(&m));
    inside(&m);
    show("greatest", &one);
    show("of_model", &other);
    show("last", &last);
    show("inside", &m.least);
    two(&one, &least);
    show("one", &one);
    show("two", &least);
    return 0;
}
