/* expect: serial ORR2112 14:34 `velocity[k]` */
#include <stdio.h>

enum { N = 64, ROWS = 8, K = 4 };

static float w[ROWS][K], velocity[K];
static int key[N];

static void train(void) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        float *row = w[key[i]];
        for (int k = 0; k < K; ++k) {
            velocity[k] = 0.9f * velocity[k] + row[k];
            row[k] -= 0.1f * velocity[k];
        }
    }
}

int main(void) {
    for (int i = 0; i < N; ++i)
        key[i] = i * 7 % ROWS;
    train();
    printf("%g\n", w[3][1] + velocity[2]);
}
