/*
 * The perceptron over dense rows; the weights change only where it errs.
 * loop: serial ORR2201
 * says: add relax(b)
 * edit: orrery parallel => orrery parallel relax(w, b)
 * then: parallel relaxed
 */
#include <stdio.h>
#include <stdlib.h>

#define FEATURES 16

int main(void) {
    int n = 1000;
    static float x[1000][FEATURES];
    static int y[1000];
    float w[FEATURES] = {0}, b = 0;
    srand(12);
    for (int i = 0; i < n; i++) {
        float s = 0.1f;
        for (int j = 0; j < FEATURES; j++) {
            x[i][j] = rand() % 200 / 100.0f - 1;
            s += x[i][j] * (j % 2 ? 1 : -1);
        }
        y[i] = s > 0 ? 1 : -1;
    }
    for (int epoch = 0; epoch < 10; epoch++) {
        int errors = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            float a = b;
            for (int j = 0; j < FEATURES; j++)
                a += w[j] * x[i][j];
            if (y[i] * a <= 0) {
                for (int j = 0; j < FEATURES; j++)
                    w[j] += y[i] * x[i][j];
                b += y[i];
                errors++;
            }
        }
        printf("epoch %d errors %d\n", epoch, errors);
        if (errors == 0)
            break;
    }
    return 0;
}
