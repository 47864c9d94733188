/* Rows of records behind structures, factors behind tables of pointers; statistics of users that lie
 * behind a pointer each.
 * loop: parallel ordered-rotation
 * loop: parallel partition-1d
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

struct entry { int item; float rating; };
struct row { int count; struct entry *entries; };
struct stats { int seen; double sum; };
struct user { int id; struct stats *stats; };

static void epoch(int nu, struct row *rows, float **P, float **Q, int K, float lr) {
#pragma orrery parallel
    for (int u = 0; u < nu; ++u)
        for (int j = 0; j < rows[u].count; ++j) {
            float *pu = P[u], *qi = Q[rows[u].entries[j].item];
            float e = rows[u].entries[j].rating;
            for (int k = 0; k < K; ++k) e -= pu[k] * qi[k];
            for (int k = 0; k < K; ++k) {
                float t = pu[k];
                pu[k] += lr * e * qi[k];
                qi[k] += lr * e * t;
            }
        }
}

static void count(int n, const int *who, struct user *users) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        users[who[i]].stats->seen += 1;
        users[who[i]].stats->sum = users[who[i]].stats->sum * .75 + i;
    }
}

static float **table(int n, int K, int seed) {
    float **t = malloc(n * sizeof *t);
    for (int i = 0; i < n; ++i) {
        t[i] = malloc(K * sizeof **t);
        for (int k = 0; k < K; ++k) t[i][k] = (float)((i * 7 + k * 3 + seed) % 11) / 11;
    }
    return t;
}

int main(void) {
    int nu = 200, ni = 90, K = 8, n = 3000;
    struct row *rows = malloc(nu * sizeof *rows);
    for (int u = 0; u < nu; ++u) {
        rows[u].count = (u * 5) % 9;
        rows[u].entries = rows[u].count ? malloc(rows[u].count * sizeof(struct entry)) : NULL;
        for (int j = 0; j < rows[u].count; ++j)
            rows[u].entries[j] = (struct entry){(u * 13 + j * 7) % ni, (float)(u + j) / 100};
    }
    float **P = table(nu, K, 1), **Q = table(ni, K, 2);
    struct user *users = malloc(40 * sizeof *users);
    for (int u = 0; u < 40; ++u) {
        users[u] = (struct user){u, calloc(1, sizeof(struct stats))};
    }
    int *who = malloc(n * sizeof *who);
    for (int i = 0; i < n; ++i) who[i] = (i * 31 + i / 7) % 40;
    for (int pass = 0; pass < 3; ++pass) {
        epoch(nu, rows, P, Q, K, .01f);
        count(n, who, users);
    }
    double s = 0;
    for (int u = 0; u < nu; ++u) for (int k = 0; k < K; ++k) s += P[u][k] * (u % 7 + k);
    for (int i = 0; i < ni; ++i) for (int k = 0; k < K; ++k) s += Q[i][k] * (i % 5 + k);
    printf("%.9g %d %.9g\n", s, users[3].stats->seen, users[3].stats->sum);
    return 0;
}
