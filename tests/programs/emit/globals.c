/* emit: 4 */
#include <stdio.h>
#include <stdlib.h>

double table[200];
static float *heap;
int width = 5;
static const int offset = 2;
extern int later;
static struct {
    int n;
    float *rate;
    double scale[3], most;
} model;

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

static void scale(void) {
#pragma orrery parallel
    for (int i = 0; i < model.n; ++i)
        heap[i] = heap[i] * model.rate[i] + (float)model.scale[i % 3];
#pragma orrery parallel
    for (int i = 0; i < 150; ++i)
        model.most = heap[i] > model.most ? heap[i] : model.most;
}

int later = 3;

int main(void) {
    double sum = 0;
    heap = malloc(200 * sizeof *heap);
    fill();
    model.n = 150;
    model.rate = calloc(200, sizeof *model.rate);
    model.rate[7] = 1.5f;
    model.scale[1] = 2;
    scale();
    for (int i = 0; i < 200; ++i)
        sum += heap[i];
    printf("%g %g\n", sum, model.most);
    free(heap);
    return 0;
}
