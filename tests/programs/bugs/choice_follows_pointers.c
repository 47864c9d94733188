/* evaluated: 9 */
/* What is set along with a minimum, or decides behind `&&`, is evaluated for the best so far only:
 * it may follow NULL, divide by 0 or not end elsewhere. The last nine evaluate nothing that could
 * fault. An argument runs one of them alone. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 20000 };

struct o {
    int v;
};
struct item {
    int key, kind;
    double weight;
};
struct found {
    int key, kind;
    double weight;
};

static int x[N], d[N], next[N];
static struct o *p[N], seven = {7};
static struct item items[N];
static struct item *lines[N];
static int names[64];

__attribute__((noinline)) static int companion(const int *x, struct o **p, int n) {
    int best = 1000000, at = -1;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] < best) {
            best = x[i];
            at = p[i]->v;
        }
    return at;
}

__attribute__((noinline)) static int divided(const int *x, const int *d, int n) {
    int best = 1000000, at = -1;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] <= best)
            best = x[i], at = 100 / d[i];
    return at;
}

__attribute__((noinline)) static int behind_and(const int *x, struct o **p, int n) {
    int best = 1000000, at = -1;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] < best && p[i]->v > 0) {
            best = x[i];
            at = i;
        }
    return at;
}

__attribute__((noinline)) static int without_if(const int *x, struct o **p, int n) {
    int best = 1000000, at = -1;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        at = best > x[i] ? p[i]->v : at;
        best = best > x[i] ? x[i] : best;
    }
    return at;
}

__attribute__((noinline)) static int held(const int *x, struct o **p, int n) {
    int best = 1000000, at = -1;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        int better = x[i] < best && p[i]->v > 0;
        if (better) {
            best = x[i];
            at = i;
        }
    }
    return at;
}

__attribute__((noinline)) static int by_place(const int *x, struct o **p, int n) {
    int at = 2;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] < x[at] && p[i]->v > 0)
            at = i;
    return at;
}

static int value_of(const struct o *p) {
    return p->v;
}

__attribute__((noinline)) static int by_a_call(const int *x, struct o **p, int n) {
    int worst = -1000000, at = -1;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (-x[i] > worst) {
            worst = -x[i];
            at = value_of(p[i]);
        }
    return at;
}

static int walk(const int *to, int i) {
    int c = 0;
    while (to[i] != i) {
        i = to[i];
        c++;
    }
    return c;
}

__attribute__((noinline)) static int never_ends(const int *x, const int *to, int n) {
    int best = 1000000, steps = -1;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] < best) {
            best = x[i];
            steps = walk(to, i);
        }
    return steps;
}

__attribute__((noinline)) static int in_two_places(const int *x, struct o **p, int n) {
    int best = 1000000, at = -1;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        if (x[i] + 2 < best) {
            best = x[i] + 2;
            at = p[i]->v;
        }
        if (x[i] < best) {
            best = x[i];
            at = i;
        }
    }
    return at;
}

__attribute__((noinline)) static int fields(const int *x, struct item **line, int n) {
    struct found f = {1000000, 0, 0};
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] < f.key) {
            f.key = x[i];
            f.kind = line[i]->kind;
        }
    return f.kind;
}

__attribute__((noinline)) static int maybe_there(const int *x, int n, int wanted) {
    int best = 1000000, at = -1, *names = NULL;
    if (wanted)
        names = calloc(n, sizeof *names);
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] < best && (i == 0 || names[i] > 0)) {
            best = x[i];
            at = i;
        }
    free(names);
    return at;
}

__attribute__((noinline)) static int beyond_the_end(const int *x, int n) {
    int best = 1000000, name = -1, *names = calloc(n, sizeof *names);
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] < best) {
            best = x[i];
            name = names[i << 20];
        }
    free(names);
    return name;
}

/* ---- none of these can fault ---- */

__attribute__((noinline)) static int allocated(const int *x, int n) {
    int best = 1000000, name = -1, *names = malloc(n * sizeof *names);
    for (int i = 0; i < n; i++)
        names[i] = i + 3;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] < best) {
            best = x[i];
            name = names[i];
        }
    free(names);
    return name;
}

__attribute__((noinline)) static int plain(const int *x, int n) {
    int best = 1000000, at = -1;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] < best) {
            best = x[i];
            at = i;
        }
    return at;
}

__attribute__((noinline)) static int same_structure(const struct item *r, int n) {
    int best = 1000000, kind = 0;
    double weight = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (r[i].key < best) {
            best = r[i].key;
            kind = r[i].kind;
            weight = r[i].weight;
        }
    return kind + (int)weight;
}

__attribute__((noinline)) static int through_a_pointer(const struct item *r, const int *of, int n) {
    int best = 1000000, kind = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        const struct item *one = r + of[i];
        if (one->key < best && one->weight > 0) {
            best = one->key;
            kind = one->kind;
        }
    }
    return kind;
}

__attribute__((noinline)) static int whole(const struct item *r, int n) {
    struct item best = {1000000, 0, 0};
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (r[i].key < best.key)
            best = r[i];
    return best.kind;
}

__attribute__((noinline)) static int named(const int *x, int n) {
    int best = 1000000, name = -1, rest = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        if (x[i] < best) {
            best = x[i];
            name = names[x[i] & 63];
            rest = x[i] % 7 + (i >> 3);
        }
    }
    return name + rest;
}

__attribute__((noinline)) static int nearest(const double *points, int n, int dims) {
    double least = 1e300;
    int at = -1;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < dims; k++)
            sum += points[i * dims + k] * points[i * dims + k];
        if (sum < least) {
            least = sum;
            at = i;
        }
    }
    return at;
}

__attribute__((noinline)) static int place_only(const int *x, int n) {
    int at = 0;
#pragma orrery parallel
    for (int i = 1; i < n; i++)
        if (x[i] < x[at])
            at = i;
    return at;
}

__attribute__((noinline)) static int read_first(const int *x, struct o **p, int n) {
    int best = 1000000, at = -1;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        int v = p[i]->v;
        if (x[i] < best && v > 0) {
            best = x[i];
            at = p[i]->v;
        }
    }
    return at;
}

int main(int argc, char **argv) {
    int only = argc > 1 ? atoi(argv[1]) : -1, k = 0;
    double *points = malloc(3 * N * sizeof *points);
    struct o **all = malloc(N * sizeof *all);
    for (int i = 0; i < N; i++) {
        x[i] = 5 + i * 31 % 100;
        next[i] = (i + 1) % N;
        items[i] = (struct item){x[i], i % 10, i * 0.5};
        all[i] = &seven;
        for (int j = 0; j < 3; j++)
            points[3 * i + j] = (i * 7 + j * 3) % 1001 - 500;
    }
    for (int i = 0; i < 64; i++)
        names[i] = 1000 + i;
    x[0] = 1;
    x[1] = 3;
    p[0] = &seven;
    d[0] = 4;
    next[0] = 0;
    next[N - 1] = 1;
    lines[0] = &items[3];
#define RUN(call)                                                                                  \
    do {                                                                                           \
        if (only < 0 || only == k)                                                                 \
            printf("%d: %d\n", k, call);                                                           \
        k++;                                                                                       \
    } while (0)
    RUN(companion(x, p, N));
    RUN(divided(x, d, N));
    RUN(behind_and(x, p, N));
    RUN(without_if(x, p, N));
    RUN(held(x, p, N));
    RUN(by_place(x, p, N));
    RUN(by_a_call(x, p, N));
    RUN(never_ends(x, next, N));
    RUN(in_two_places(x, p, N));
    RUN(fields(x, lines, N));
    RUN(maybe_there(x, N, argc > 9));
    RUN(beyond_the_end(x, N));
    RUN(allocated(x, N));
    RUN(plain(x, N));
    RUN(same_structure(items, N));
    RUN(through_a_pointer(items, d, N));
    RUN(whole(items, N));
    RUN(named(x, N));
    RUN(nearest(points, N, 3));
    RUN(place_only(x, N));
    RUN(read_first(x, all, N));
    return 0;
}
