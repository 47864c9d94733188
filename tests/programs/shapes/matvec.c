/* A dense layer by hand: y = relu(A x + b), A as float ** and then its transpose times a gradient.
 * loop: parallel independent
 * loop: parallel independent
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

typedef float **Mat;
typedef float *Vec;

static Mat new_mat(int r, int c) {
    Mat m = malloc(sizeof(Vec) * r);
    Vec all = malloc(sizeof(float) * r * c);
    for (int i = 0; i < r; i++) m[i] = all + i * c;
    return m;
}

static void forward(Mat A, Vec b, Vec x, Vec y, int r, int c) {
#pragma orrery parallel
    for (int i = 0; i < r; i++) {
        float acc = b[i];
        for (int j = 0; j < c; j++) acc += A[i][j] * x[j];
        y[i] = acc > 0 ? acc : 0;
    }
}

static void backward(Mat A, Vec dy, Vec dx, int r, int c) {
#pragma orrery parallel
    for (int j = 0; j < c; j++) {
        dx[j] = 0;
        for (int i = 0; i < r; i++) dx[j] += A[i][j] * dy[i];
    }
}

int main(void) {
    int r = 40, c = 30;
    Mat A = new_mat(r, c);
    Vec b = malloc(r * sizeof(float)), x = malloc(c * sizeof(float)), y = malloc(r * sizeof(float)), dx = malloc(c * sizeof(float));
    for (int i = 0; i < r; i++) { b[i] = i * .1f - 2; for (int j = 0; j < c; j++) A[i][j] = ((i * j) % 7 - 3) * .2f; }
    for (int j = 0; j < c; j++) x[j] = (j % 5) * .3f;
    for (int t = 0; t < 3; t++) {
        forward(A, b, x, y, r, c);
        backward(A, y, dx, r, c);
        for (int j = 0; j < c; j++) x[j] -= 0.001f * dx[j];
        printf("%.6f %.6f\n", y[r / 2], dx[c / 3]);
    }
    return 0;
}
