/* float *** and int *** allocated row by row: read by keys, an iteration's own, updated by keys through all three
 * subscripts and through pointers to rows; and counts in them.
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel wavefront
 * loop: parallel partition-1d
 * loop: parallel partition-1d
 * loop: parallel partition-1d
 * result: near 1e-6
 * ranks: refused it is not known which rows of t
 */
#include <stdio.h>
#include <stdlib.h>

static float ***alloc3(int a, int b, int c) {
    float ***t = malloc(a * sizeof *t);
    for (int i = 0; i < a; i++) {
        t[i] = malloc(b * sizeof **t);
        for (int j = 0; j < b; j++) {
            t[i][j] = malloc(c * sizeof ***t);
            for (int k = 0; k < c; k++)
                t[i][j][k] = (i * 7 + j * 3 + k) % 11;
        }
    }
    return t;
}

static void read_by_keys(int n, int K, float ***t, const int *user, const int *slot, float *y) {
    #pragma orrery parallel
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < K; k++)
            s += t[user[i]][slot[i]][k];
        y[i] = s;
    }
}

static void own(int n, int F, int K, float ***t) {
    #pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int f = 0; f < F; f++)
            for (int k = 0; k < K; k++)
                t[i][f][k] = .5f * t[i][f][k] + 1;
}

static void chain(int n, int F, int K, float ***t) {
    #pragma orrery parallel
    for (int i = 0; i < n - 1; i++)
        for (int f = 0; f < F; f++)
            for (int k = 0; k < K; k++)
                t[i + 1][f][k] = .5f * (t[i][f][k] + t[i + 1][f][k]);
}

static void update(int n, int K, float ***t, const int *user, const int *slot, const float *y) {
    #pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int k = 0; k < K; k++)
            t[user[i]][slot[i]][k] += .01f * (y[i] - t[user[i]][slot[i]][k]);
}

static void through_rows(int n, int F, int K, float ***t, const int *user, const float *y) {
    #pragma orrery parallel
    for (int i = 0; i < n; i++) {
        float **m = t[user[i]];
        for (int f = 0; f < F; f++) {
            float *r = m[f];
            for (int k = 0; k < K; k++)
                r[k] += .01f * (y[i] - r[k]);
        }
    }
}

int main(void) {
    int n = 4000, users = 37, F = 5, K = 6;
    float ***t = alloc3(users, F, K), *y = calloc(n, sizeof *y);
    int ***seen = malloc(users * sizeof *seen);
    int *user = malloc(n * sizeof *user), *slot = malloc(n * sizeof *slot);
    for (int u = 0; u < users; u++) {
        seen[u] = malloc(F * sizeof **seen);
        for (int f = 0; f < F; f++)
            seen[u][f] = calloc(3, sizeof ***seen);
    }
    for (int i = 0; i < n; i++) {
        user[i] = (i * 13 + i / 7) % users;
        slot[i] = (i * 5 + i / 11) % F;
    }
    for (int pass = 0; pass < 2; pass++) {
        read_by_keys(n, K, t, user, slot, y);
        own(users, F, K, t);
        update(n, K, t, user, slot, y);
        through_rows(n, F, K, t, user, y);
        chain(users, F, K, t);
        #pragma orrery parallel
        for (int i = 0; i < n; i++)
            seen[user[i]][slot[i]][i % 3]++;
    }
    for (int u = 0; u < users; u += 6)
        for (int f = 0; f < F; f++)
            printf("%.6g %.6g %d %d\n", t[u][f][0], t[u][f][K - 1], seen[u][f][0], seen[u][f][2]);
    return 0;
}
