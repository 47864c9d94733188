/* Records behind pointers to structures, and rows of records in structures. The first argument: what
 * lies over what it may not lie over; 0: nothing. The second: the pass before which that is made. */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n;
    int *idx;
    double *val;
} example;
struct entry {
    int item;
    float rating;
};
struct row {
    int count;
    struct entry *entries;
};
struct stats {
    int seen;
    double sum;
};
struct user {
    int id;
    struct stats *stats;
};

static void steps(example **ex, int m, double *w) {
#pragma orrery parallel
    for (int i = 0; i < m; ++i)
        for (int k = 0; k < ex[i]->n; ++k)
            w[ex[i]->idx[k]] = w[ex[i]->idx[k]] * .75 + ex[i]->val[k];
}

static void halve(example **ex, int m) {
#pragma orrery parallel
    for (int i = 0; i < m; ++i)
        for (int k = 0; k < ex[i]->n; ++k)
            ex[i]->val[k] = ex[i]->val[k] * .5 + i;
}

static void rate(struct row *rows, int nu, float *q) {
#pragma orrery parallel
    for (int u = 0; u < nu; ++u)
        for (int j = 0; j < rows[u].count; ++j)
            q[rows[u].entries[j].item] =
                q[rows[u].entries[j].item] * .5f + rows[u].entries[j].rating;
}

static void count(const int *who, int n, struct user *users) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        users[who[i]].stats->seen += 1;
        users[who[i]].stats->sum = users[who[i]].stats->sum * .75 + i;
    }
}

int main(int argc, char **argv) {
    enum { M = 2000, F = 64, PASSES = 9 };
    int how = argc > 1 ? atoi(argv[1]) : 0, late = argc > 2 ? atoi(argv[2]) : 0;
    double *w = calloc(F, sizeof *w), sum = 0;
    void *memory = calloc(F, sizeof(float));
    float *q = memory;
    example **ex = malloc(M * sizeof *ex);
    struct row *rows = malloc(M * sizeof *rows);
    struct user *users = malloc(M * sizeof *users);
    int *who = malloc(M * sizeof *who);
    for (int i = 0; i < M; ++i) {
        ex[i] = malloc(sizeof **ex);
        *ex[i] = (example){i % 5, malloc(5 * sizeof(int)), malloc(5 * sizeof(double))};
        rows[i] = (struct row){i % 5, malloc(5 * sizeof(struct entry))};
        users[i] = (struct user){i, calloc(1, sizeof(struct stats))};
        who[i] = i * 7 % 50;
        for (int k = 0; k < 5; ++k) {
            ex[i]->idx[k] = (i * 3 + k * 11) % F;
            ex[i]->val[k] = i + k;
            rows[i].entries[k] = (struct entry){(i * 5 + k * 13) % F, (float)k};
        }
    }
    for (int pass = 0; pass < PASSES; ++pass) {
        if (how == 1 && pass == late)
            ex[9]->val = w + 3;
        if (how == 2 && pass == late)
            ex[9]->val = ex[8]->val + 1;
        if (how == 3 && pass == late)
            ex[9] = ex[8];
        if (how == 4 && pass == late)
            rows[7].entries = memory;
        if (how == 5 && pass == late)
            users[3].stats = users[4].stats;
        if (how < 2)
            steps(ex, M, w);
        if (how == 0 || how == 2 || how == 3)
            halve(ex, M);
        if (how == 0 || how == 4)
            rate(rows, M, q);
        if (how == 0 || how == 5)
            count(who, M, users);
    }
    for (int f = 0; f < F; ++f)
        sum += w[f] * (f % 5) + q[f] * (f % 7);
    printf("%.17g %d %.17g %.17g\n", sum, users[3].stats->seen, users[3].stats->sum, ex[9]->val[2]);
    return 0;
}
