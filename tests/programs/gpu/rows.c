/* plain */
#include <stdio.h>
#include <stdlib.h>

enum { D = 37 };
struct visit {
    int who;
    float weight;
};

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

/* In the file's order: what one visit leaves in a row the next one of the same row reads. */
static void learn(float *rows, const struct visit *v, long n, const float *target, float rate) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        float *row = rows + (long)v[i].who * D;
        float error = 0, norm = 1;
        int k, above = 0;
        for (k = 0; k < D; ++k)
            error += row[k] * target[k];
        for (k = D - 1; k >= 0; k--) {
            float a = row[k] - target[k];
            norm -= a * a * .001f;
            if (a > 0)
                above++;
        }
        error = (error - v[i].weight) * norm;
        row[0] += above * .0001f;
        for (k = 0; k < D; ++k)
            row[k] -= rate * error * target[k];
        if (k == D)
            row[1] += .001f * row[0];
    }
}

/* Nothing in it is worth the lanes. */
static void count(int *seen, float *last, const struct visit *v, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        seen[v[i].who]++;
        last[v[i].who] = last[v[i].who] * .5f + v[i].weight;
    }
}

/* A column per iteration, an inner loop that carries something. */
static void columns(float *a, int n, int m) {
#pragma orrery parallel
    for (int j = 0; j < n; ++j) {
        float carried = 0;
        for (int i = 0; i < m; ++i) {
            carried = carried * .5f + a[(long)i * n + j];
            a[(long)i * n + j] = carried;
        }
    }
}

/* The header of the loop inside sets more than its variable. Rows may overlap: levels. */
static void visits(float *last, float *mark, const struct visit *v, const int *first, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        for (int k = first[i], end = first[i + 1]; k < end; ++k)
            last[k] += v[i].weight;
        mark[i] += last[first[i]];
    }
}

int main(int argc, char **argv) {
    long n = 1000;
    int who = 60;
    struct visit *v = malloc(n * sizeof *v);
    float *rows = malloc(sizeof(float) * who * D), *last = calloc(who, sizeof *last);
    int *seen = calloc(who, sizeof *seen);
    float target[D], sum = 0;
    int first[10];
    for (int i = 0; i < 10; ++i)
        first[i] = i * 6;
    for (int k = 0; k < D; ++k)
        target[k] = (float)(k % 5) * .1f - .2f;
    for (long i = 0; i < n; ++i)
        v[i] = (struct visit){(int)(i * i % who), (float)(i % 11) * .1f};
    for (int i = 0; i < who * D; ++i)
        rows[i] = (float)(i % 17) * .05f;
    for (int pass = 0; pass < 2; ++pass) {
        learn(rows, v, n, target, .0005f);
        count(seen, last, v, n);
        columns(rows, D, who);
        if (argc == 1)
            visits(last, rows, v, first, 9);
    }
    for (int i = 0; i < who * D; ++i)
        sum = sum * .999f + rows[i];
    printf("%.9g %.9g %d\n", (double)sum, (double)last[4], seen[9]);
    free(v), free(rows), free(last), free(seen);
    (void)argv;
    return 0;
}
