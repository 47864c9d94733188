/* emit: 5, one rank */
/* Addresses that the body makes and leaves behind: in arrays, in fields, behind a minimum, as the last one, as a number. */
#include <stdint.h>
#include <stdio.h>

enum { N = 4000, K = 3 };

struct row {
    float *at;
    int length;
};

static float a[N * K];
static float *of[N];
static struct row rows[N];
static uintptr_t numbers[N];

static void in_array(void) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        of[i] = &a[i * K];
        a[i * K] += 1;
    }
}

static void in_field(void) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        rows[i].at = a + i * K;
        rows[i].length = K;
        a[i * K + 1] += 2;
    }
}

static long nearest(float wanted) {
    const float *best = a;
    float least = 1e9f;
#pragma orrery parallel
    for (int i = 0; i < N * K; i++) {
        const float far = (a[i] - wanted) * (a[i] - wanted);
        if (far < least) {
            least = far;
            best = &a[i];
        }
    }
    return best - a;
}

static long last(void) {
    float *p = a;
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        p = a + i * K;
        *p += 3;
    }
    return p - a;
}

static void as_number(void) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        a[i] += 1;
        numbers[i] = (uintptr_t)&a[i];
    }
}

int main(void) {
    long sum = 0;
    for (int i = 0; i < N * K; i++)
        a[i] = (float)(i * 7 % 1000);
    in_array();
    in_field();
    const long best = nearest(517.5f);
    const long end = last();
    as_number();
    for (int i = 0; i < N; i++)
        sum = (sum * 31 + (of[i] - a) + (rows[i].at - a) * 3 + (long)(numbers[i] - (uintptr_t)a)) % 1000003;
    printf("%ld %ld %ld\n", sum, best, end);
    return 0;
}
