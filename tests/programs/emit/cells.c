/* emit: 3 */
#include <stdio.h>

struct part {
    int count;
    double sums[3];
};

static unsigned a[600], b[600];
static struct part parts[4];

static void spelt(const unsigned *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        a[2] += x[i] * a[4];
        *(a + 2) += 3;
        (a)[2] += *&a[1];
        *&a[5] = x[i] ^ a[4];
        b[i] = a[5] + a[0];
    }
}

static void members(const unsigned *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        parts[1].sums[2] += x[i] * parts[2].sums[0];
        parts[1].count++;
        parts[3].count ^= (int)x[i];
    }
}

static unsigned behind(unsigned *p, const unsigned *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        if (x[i] > p[0])
            p[0] = x[i];
        if (x[i] < p[1])
            p[1] = x[i];
        p[3] = x[i] + p[2];
    }
    return p[0] * 31 + p[1] * 7 + p[3];
}

int main(void) {
    static unsigned x[500];
    unsigned p[4] = {0, 1u << 30, 5, 0}, sum = 0;
    for (int i = 0; i < 500; ++i)
        x[i] = (unsigned)i * 7919u % 1009u;
    for (int i = 0; i < 600; ++i)
        a[i] = (unsigned)i;
    for (int i = 0; i < 4; ++i)
        parts[i] = (struct part){i, {i + 0.5, 2, 3}};
    spelt(x, 500);
    members(x, 500);
    for (int i = 0; i < 600; ++i)
        sum = sum * 31 + a[i] + b[i];
    printf("%u %u %u\n", sum, a[2], a[5]);
    printf("%d %d %.1f\n", parts[1].count, parts[3].count, parts[1].sums[2]);
    printf("%u\n", behind(p, x, 500));
    return 0;
}
