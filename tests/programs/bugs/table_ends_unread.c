/* emit: 9 */
/* Of a table of pointers that the loop surely looks into, the run read entries that the loop never
 * reads: in front of its first one, and up to the greatest subscript under a condition or behind a
 * `break`. There may be nothing. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct node {
    unsigned v;
    double w;
};

static void from_one(int *restrict a, struct node **t, int n) {
#pragma orrery parallel
    for (int i = 1; i < n; i++)
        a[t[i]->v] = (a[t[i]->v] & 1023) * 3 + 1;
}

static void down_to_one(int *restrict a, struct node **t, int n) {
#pragma orrery parallel
    for (int i = n - 1; i > 0; i--)
        a[t[i]->v] = (a[t[i]->v] & 1023) * 3 + 1;
}

static void in_steps(int *restrict a, struct node **t, int n) {
#pragma orrery parallel
    for (int i = 3; i < n; i += 3)
        a[t[i]->v] = (a[t[i]->v] & 1023) * 3 + 1;
}

static void from_first(int *restrict a, struct node **t, unsigned first, unsigned n) {
#pragma orrery parallel
    for (unsigned i = first; i != n; i++)
        a[t[i]->v] = (a[t[i]->v] & 1023) * 3 + 1;
}

static void inside(long *restrict y, const int *restrict x, int **t, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = m - 1; j >= 1; j--)
            y[i] += x[i] * *t[j];
}

static void columns(int **t, const int *x, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            t[j][i] = t[j][i] * 3 + x[i];
}

static void further_under_condition(int *restrict a, struct node **t, const int *c, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[t[i]->v] = (a[t[i]->v] & 1023) * 3 + 1;
        if (c[i])
            a[t[i]->v] += (int)t[i + 9]->v;
    }
}

static void columns_under_condition(int **t, const int *x, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        t[0][i] = x[i];
        for (int j = 0; j < m; j++)
            if (x[j])
                t[j][i] = t[j][i] * 3 + x[i];
    }
}

static void until(long *restrict y, const int *restrict x, int **t, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            y[i] += x[i] + *t[j];
            if (x[j] > 3)
                break;
        }
}

enum { N = 71, PAGE = 4096 };

static char *edge(void) {
    char *pages = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages, PAGE, PROT_NONE), mprotect(pages + 2 * PAGE, PAGE, PROT_NONE);
    return pages + PAGE;
}

int main(void) {
    int *a = calloc(N, sizeof *a), *x = calloc(N, sizeof *x), *c = calloc(N, sizeof *c);
    long *y = calloc(N, sizeof *y);
    struct node *nodes = calloc(N, sizeof *nodes);
    struct node **one = (struct node **)edge() - 1, **three = (struct node **)edge() - 3,
                **end = (struct node **)(edge() + PAGE) - N;
    int **row = (int **)edge() - 1, **last = (int **)(edge() + PAGE) - N / 2;
    for (int i = 0; i < N; i++) {
        nodes[i].v = i * 7 % N, x[i] = i < N / 2 ? i % 5 : 0, c[i] = i < N - 9 && i % 3 == 0;
        if (i >= 1)
            one[i] = &nodes[i], row[i] = calloc(N, sizeof(int));
        if (i >= 3)
            three[i] = &nodes[i];
        end[i] = &nodes[i];
        if (i < N / 2)
            last[i] = calloc(N, sizeof(int));
    }
    from_one(a, one, N), down_to_one(a, one, N), in_steps(a, three, N), from_first(a, three, 3, N);
    inside(y, x, row, N, 5), columns(row, x, N, 9), inside(y, x, row, N, 9);
    further_under_condition(a, end, c, N), columns_under_condition(last, x, N, N);
    until(y, x, last, N, N);
    for (int i = 0; i < N; i++)
        printf("%d %ld %d %d\n", a[i], y[i], row[5][i], last[7][i]);
    return 0;
}
