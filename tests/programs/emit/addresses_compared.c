/* emit: 7, one rank */
/* Addresses of rows beside one that serial code has made: on another rank the rows stand elsewhere. */
#include <stdio.h>

enum { N = 40000, K = 30 };

static float a[N * K], w[N];

struct pair {
    float *first, *second;
};

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

/* The iteration sets a pointer that was declared in front of the loop. */
static long declared_in_front(const float *stop) {
    long behind = 0;
    float *p;
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        p = a + i * K;
        p[2] += 1;
        behind += p >= stop;
    }
    return behind;
}

static int is_behind(const float *p, const float *q, const float *stop) {
    const float *r = q;
    q = stop;
    return p == r && q <= p;
}

/* A parameter that the function sets. */
static long set_inside(const float *stop) {
    long behind = 0;
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        float *p = a + i * K;
        p[3] += 1;
        behind += is_behind(p, p, stop);
    }
    return behind;
}

/* Two pointers of one structure may lead to one array. */
static long beside(struct pair m) {
    long behind = 0;
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        m.first[i * K] += 1;
        behind += m.first + i * K >= m.second;
    }
    return behind;
}

static float sum_between(const float *p, const float *end) {
    float sum = 0;
    for (; p != end; ++p)
        sum += *p;
    return sum;
}

/* Both made of a, as the call shows: holds anywhere. */
static void in_callee(void) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        a[i * K] += sum_between(a + i * K + 1, a + (i + 1) * K);
}

int main(void) {
    double sum = 0;
    long behind = 0;
    for (int i = 0; i < N * K; ++i)
        a[i] = (float)(i % 11);
    for (int i = 0; i < N; ++i)
        w[i] = (float)(i % 7);
    marked(&a[39000 * K]);
    in_front(a + 30000 * K);
    in_row();
    behind += declared_in_front(a + 20000 * K);
    behind += set_inside(a + 10000 * K);
    behind += beside((struct pair){a, a + 25000 * K});
    in_callee();
    for (int i = 0; i < N * K; ++i)
        sum += a[i];
    printf("%.9g %ld\n", sum, behind);
    return 0;
}
