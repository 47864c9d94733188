/* ORR2112 */
static unsigned long long state[2] = {1, 2};

static unsigned long long rotate(unsigned long long x, int k) {
    return (x << k) | (x >> (64 - k));
}

static unsigned long long next(void) {
    unsigned long long s0 = state[0], s1 = state[1], result = s0 + s1;
    s1 ^= s0;
    state[0] = rotate(s0, 24) ^ s1 ^ (s1 << 16);
    state[1] = rotate(s1, 37);
    return result;
}

void noise(float *W, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        W[n] += (float)(next() >> 40);
        if (W[n] > 5)
            W[n] -= (float)(next() >> 40);
    }
}
