/* Reads a number s and sets out = in * 2 + 1 over arrays that stand s elements apart. */
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

static void twice(float *out, const float *in, long count) {
#pragma orrery parallel ASSUME
    for (long n = 0; n < count; ++n)
        out[n] = in[n] * 2 + 1;
}

int main(int argc, char **argv) {
    long shift = argc > 1 ? atol(argv[1]) : 2000, count = 1000;
    float *memory = malloc((shift + count) * sizeof *memory), sum = 0;
    for (long n = 0; n < shift + count; ++n)
        memory[n] = n % 17;
    twice(memory + shift, memory, count);
    for (long n = 0; n < shift + count; ++n)
        sum += memory[n];
    printf("%g\n", sum);
    free(memory);
    return 0;
}
