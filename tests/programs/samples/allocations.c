/* A rotation, a relaxed regression and sums on a few iterations:
 * what ORRERY_DEBUG=torture=alloc:N fails in. */
#include <stdio.h>
#include <stdlib.h>

enum { RECORDS = 400, ROWS = 40, COLUMNS = 30, WEIGHTS = 64 };

struct record {
    int row, column;
    float value;
};

static void factorize(const struct record *restrict data, float (*restrict left)[4],
                      float (*restrict right)[4], long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        float *u = left[data[i].row], *v = right[data[i].column], error = data[i].value;
        for (int k = 0; k < 4; ++k)
            error -= u[k] * v[k];
        for (int k = 0; k < 4; ++k) {
            float old = u[k];
            u[k] += .01f * error * v[k];
            v[k] += .01f * error * old;
        }
    }
}

static void regress(const struct record *data, float *w, long n) {
#pragma orrery parallel unordered relax(w) sync(iterations = 20)
    for (long i = 0; i < n; ++i) {
        int at = (data[i].row * 7 + data[i].column) % WEIGHTS;
        w[at] += .01f * (data[i].value - w[at]);
    }
}

static double total(const float *x, long n) {
    double sum = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i)
        sum += x[i];
    return sum;
}

int main(void) {
    struct record *data = malloc(RECORDS * sizeof *data);
    float(*left)[4] = malloc(ROWS * sizeof *left), (*right)[4] = malloc(COLUMNS * sizeof *right);
    float *w = calloc(WEIGHTS, sizeof *w);
    if (!data || !left || !right || !w)
        return 3;
    for (int i = 0; i < RECORDS; ++i)
        data[i] = (struct record){i * 37 % ROWS, i * 11 % COLUMNS, (float)(i % 9)};
    for (int i = 0; i < ROWS * 4; ++i)
        left[0][i] = .1f * (float)(i % 7);
    for (int i = 0; i < COLUMNS * 4; ++i)
        right[0][i] = .1f * (float)(i % 5);
    for (int pass = 0; pass < 2; ++pass) {
        factorize(data, left, right, RECORDS);
        regress(data, w, RECORDS);
    }
    printf("%.9g %.9g %.9g\n", total(left[0], ROWS * 4), total(right[0], COLUMNS * 4),
           total(w, WEIGHTS));
    return 0;
}
