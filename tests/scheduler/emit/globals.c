/* emit: 2 */
#include <stdio.h>
#include <stdlib.h>

double table[200];
static float *heap;
int width = 5;
static const int offset = 2;
extern int later;

static int later_twice(int i) {
    return later * i;
}

static void fill(void) {
    static int local[200];
#pragma orrery parallel
    for (int i = 0; i < 200; ++i) {
        table[i] = i * width + offset;
        local[i] = later_twice(i);
    }
#pragma orrery parallel
    for (int i = 0; i < 200; ++i)
        heap[i] = (float)(table[i] + local[i]);
}

int later = 3;

int main(void) {
    double sum = 0;
    heap = malloc(200 * sizeof *heap);
    fill();
    for (int i = 0; i < 200; ++i)
        sum += heap[i];
    printf("%g\n", sum);
    free(heap);
    return 0;
}
