/* same: 3
 * A subscript in 32 bits that may wrap around is checked by where its counter begins, which nothing
 * else of the loop names: the element is only read, and the counter moves by a variable. */
#include <stdio.h>

static unsigned values[64];

struct from {
    unsigned long long start;
};

static unsigned moving(unsigned long long start, int step, int on, const unsigned *from) {
    unsigned last = 0, some = 0;
#pragma orrery parallel
    for (unsigned i = (unsigned)start - 7u; i < 50u; i += (unsigned)step - 1u) {
        last = on ? from[i + 2] : 4u;
        some |= i > 3;
    }
    return 2 * last + some;
}

static unsigned behind(const struct from *s, int step, int on, const unsigned *from) {
    unsigned last = 0, some = 0;
#pragma orrery parallel
    for (unsigned i = (unsigned)s->start - 7u; i < 50u; i += (unsigned)step - 1u) {
        last = on ? from[i + 2] : 4u;
        some |= i > 3;
    }
    return 2 * last + some;
}

static unsigned twice(unsigned start, unsigned step, const unsigned *from) {
    unsigned some = 0;
#pragma orrery parallel
    for (unsigned i = 2 * start; i < 20u; i += step)
        some |= from[i * 2 + 1];
    return some;
}

int main(void) {
    struct from s = {8};
    for (int k = 0; k < 64; ++k)
        values[k] = (unsigned)k;
    printf("%u %u %u\n", moving(8, 3, 1, values), moving(8, 4, 0, values),
           moving((unsigned)-1, 3, 0, values));
    printf("%u %u\n", behind(&s, 3, 1, values), behind(&s, 5, 0, values));
    printf("%u\n", twice(1, 3, values));
    return 0;
}
