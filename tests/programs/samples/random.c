/*
 * orrery_random(): the published answers of philox4x32-10, and a loop that draws from it.
 * Built by cc and by orrery-cc; both print the same.
 */
#include <orrery.h>

#include <stdio.h>

enum { COUNT = 1000 };

static float noise[COUNT];

static void fill(float *restrict x, unsigned long long seed, int count) {
    ORRERY_PARALLEL()
    for (int i = 0; i < count; ++i)
        x[i] = (float)orrery_uniform(seed, (unsigned long long)i);
}

int main(void) {
    double sum = 0;
    fill(noise, 7, COUNT);
    for (int i = 0; i < COUNT; ++i)
        sum += noise[i];
    printf("%016llx %.9f %d\n", orrery_random(0, 0), sum, noise[3] == noise[4]);
    return 0;
}
