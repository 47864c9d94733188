/*
 * A served vector, reached through two levels of indices that change between passes in every way
 * that a program has: serial writes, another parallel loop, another array, another length; and
 * serial code reads and writes the vector itself.
 */
#include "model.h"

enum { N = 900, M = 30000, MOST = 14 };
static long ptr[N + 1];
static int where[M];
static int *map = where;
static float rate = .02f;

struct data {
    const int *feature;
    const float *value;
};
static struct data now;
static float *now_y;

static void body(long i, void **own, void **seen) {
    float *w = own[0], z = 0;
    (void)seen;
    for (long p = ptr[i]; p < ptr[i + 1]; ++p)
        if (now.feature[p] >= 0)
            z += w[map[now.feature[p]]] * now.value[p];
    float g = z - now_y[i];
    for (long p = ptr[i]; p < ptr[i + 1]; ++p)
        if (now.feature[p] >= 0)
            w[map[now.feature[p]]] -= rate * (g * now.value[p] + .001f * w[map[now.feature[p]]]);
}

static double pass(const int *feature, const float *value, const float *y, float *w, long n) {
    double loss = 0;
#pragma orrery parallel unordered relax(w) CLAUSES
    for (long i = 0; i < n; ++i) {
        float z = 0;
        for (long p = ptr[i]; p < ptr[i + 1]; ++p)
            if (feature[p] >= 0)
                z += w[map[feature[p]]] * value[p];
        float g = z - y[i];
        loss += g * g;
        for (long p = ptr[i]; p < ptr[i + 1]; ++p)
            if (feature[p] >= 0)
                w[map[feature[p]]] -= rate * (g * value[p] + .001f * w[map[feature[p]]]);
    }
    return loss;
}

static void turn(int *feature, long n) {
#pragma orrery parallel
    for (long p = 0; p < n; ++p)
        feature[p] = feature[p] < 0 ? 3 : (feature[p] + 11) % M;
}

/* What changes before pass number k; the vector's own serial uses come to the copy, too. */
static void change(int k, int *feature, float *w, float *copy, long entries) {
    switch (k) {
    case 2:
        where[17] = 4, where[4] = 17;
        break;
    case 3:
        for (long p = 0; p < entries; p += 3)
            feature[p] = (int)draw(M);
        break;
    case 4:
        turn(feature, entries);
        break;
    case 5:
        map = malloc(M * sizeof *map);
        for (int j = 0; j < M; ++j)
            map[j] = M - 1 - where[j];
        break;
    case 6:
        for (int j = 0; j < M; j += 7)
            w[j] *= .5f, copy[j] *= .5f;
        break;
    case 7:
        memset(w, 0, 1000 * sizeof *w);
        memset(copy, 0, 1000 * sizeof *copy);
        break;
    case 9:
        ptr[5] -= ptr[5] > ptr[4];
        break;
    default:
        break;
    }
}

int main(void) {
    float *w = malloc(M * sizeof *w), *copy, *value = malloc(N * MOST * sizeof *value);
    float *y = malloc(N * sizeof *y);
    int *feature = malloc(N * MOST * sizeof *feature);
    for (long j = 0; j < M; ++j) {
        w[j] = (float)draw(100) / 100 - .5f;
        where[j] = (int)((j * 7) % M);
    }
    for (long i = 0; i < N; ++i) {
        long p = ptr[i];
        for (unsigned k = draw(MOST); k > 0; --k, ++p) {
            feature[p] = draw(9) ? (int)draw(draw(3) ? M : 40) : -1;
            value[p] = (float)draw(7) / 8 - .4f;
        }
        ptr[i + 1] = p;
        y[i] = (float)draw(2);
    }
    copy = copy_of(w, M * sizeof *w);
    struct array arrays[] = {{.target = copy, .n = M, .type = 'f'}};
    for (int k = 0; k < 12; ++k) {
        long n = k == 8 ? N - 100 : N;
        change(k, feature, w, copy, ptr[N]);
        if (k == 10) {
            float *moved = copy_of(w, M * sizeof *w);
            free(w);
            w = moved;
        }
        printf("loss %.9g\n", pass(feature, value, y, w, n));
        if (k % 4 == 1)
            printf("w[40] %.9g\n", w[40]);
        now = (struct data){feature, value};
        now_y = y;
        model_run(n, ROWS, STEPS, ITERATIONS, 1, arrays, body);
    }
    compare("w", w, copy, M * sizeof *w);
    return bad;
}
