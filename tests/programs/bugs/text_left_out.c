/* emit: 1 */
/* What the preprocessor leaves out is no C: words without an end in front of a function moved what
 * the loop needs in front of the macros that it uses. */
// clang-format off
#include <stdio.h>

#define SIZE 8

#ifdef SIZE

#if SIZE != 8
Sorry, this code only copes with a size of 8. /* deliberate */
#endif

#define BITS 13
#if BITS == 13
#if BITS == 12
#else
#define FIX_1_5 12288
#endif
#else
#define FIX_1_5 ((int)(1.5 * (1 << BITS) + 0.5))
#endif
#define SCALE(x) ((x) * FIX_1_5 >> BITS)

void scale(int *data) {
#pragma orrery parallel
    for (int i = 0; i < 8 * SIZE; ++i)
        data[i] = SCALE(data[i]) + FIX_1_5;
}

#endif

int main(void) {
    int data[8 * SIZE];
    for (int i = 0; i < 8 * SIZE; ++i)
        data[i] = 100 * i;
    scale(data);
    for (int i = 0; i < 8 * SIZE; ++i)
        printf("%d\n", data[i]);
    return 0;
}
