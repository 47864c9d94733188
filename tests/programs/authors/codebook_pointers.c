/*
 * Vector quantization: a code book of pointers to structures with rows; the nearest is found in a function.
 * loop: parallel reduction
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    float *centre;
    double *acc;
    long hits;
} code;
typedef struct {
    int k, d;
    code **book;
} quantizer;
static int nearest(const quantizer *q, const float *x) {
    int best = -1;
    float least = 1e30f;
    for (int j = 0; j < q->k; j++) {
        float s = 0;
        for (int i = 0; i < q->d; i++) {
            float t = x[i] - q->book[j]->centre[i];
            s += t * t;
        }
        if (s < least) {
            least = s;
            best = j;
        }
    }
    return best;
}
static double pass(quantizer *q, const float *x, int n, int *assigned) {
    double moved = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        int z = nearest(q, x + i * q->d);
        if (assigned[i] != z)
            moved += 1;
        assigned[i] = z;
        q->book[z]->hits++;
        for (int j = 0; j < q->d; j++)
            q->book[z]->acc[j] += x[i * q->d + j];
    }
    for (int j = 0; j < q->k; j++) {
        for (int i = 0; i < q->d; i++) {
            if (q->book[j]->hits)
                q->book[j]->centre[i] = q->book[j]->acc[i] / q->book[j]->hits;
            q->book[j]->acc[i] = 0;
        }
        q->book[j]->hits = 0;
    }
    return moved;
}
int main(void) {
    quantizer q = {9, 4, malloc(9 * sizeof(code *))};
    int n = 3000;
    float *x = malloc(n * 4 * sizeof *x);
    int *a = calloc(n, sizeof *a);
    for (int i = 0; i < n * 4; i++)
        x[i] = (i * 53 % 97) / 16.f;
    for (int j = 0; j < 9; j++) {
        q.book[j] = calloc(1, sizeof(code));
        q.book[j]->centre = malloc(4 * sizeof(float));
        q.book[j]->acc = calloc(4, sizeof(double));
        for (int i = 0; i < 4; i++)
            q.book[j]->centre[i] = x[j * 40 + i];
    }
    for (int t = 0; t < 5; t++)
        printf("%g\n", pass(&q, x, n, a));
    for (int j = 0; j < 9; j++)
        printf("%.9g\n", q.book[j]->centre[2]);
    return 0;
}
