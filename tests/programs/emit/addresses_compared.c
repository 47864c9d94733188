/* emit: 3, one rank */
/* Addresses of rows beside one that serial code has made: on another rank the rows stand elsewhere. */
#include <stdio.h>

enum { N = 40000, K = 30 };

static float a[N * K], w[N];

static int is_in_front(const float *p, const float *end) {
    return p < end;
}

static void marked(const float *mark) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        float *p = a + i * K;
        if (p == mark)
            w[i] = 100;
        for (int j = 0; j < K; ++j)
            p[j] += w[i];
    }
}

static void in_front(const float *end) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        float *p = a + i * K;
        if (is_in_front(p, end))
            w[i] = 2;
        p[1] += w[i];
    }
}

/* Both made of a: these hold anywhere. */
static void in_row(void) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        float *row = a + i * K;
        for (float *p = row, *end = row + K; p < end; ++p)
            *p += (float)(p - row);
    }
}

int main(void) {
    double sum = 0;
    for (int i = 0; i < N * K; ++i)
        a[i] = (float)(i % 11);
    for (int i = 0; i < N; ++i)
        w[i] = (float)(i % 7);
    marked(&a[39000 * K]);
    in_front(a + 30000 * K);
    in_row();
    for (int i = 0; i < N * K; ++i)
        sum += a[i];
    printf("%.9g\n", sum);
    return 0;
}
