#include <stdio.h>

void all(double x[256][256], int is);

static double x[256][256];

int main(void) {
    for (int i = 0; i < 256; ++i)
        for (int j = 0; j < 256; ++j)
            x[i][j] = i - j;
    for (int pass = 0; pass < 20000; ++pass)
        all(x, pass % 2 ? 1 : -1);
    double sum = 0;
    for (int i = 0; i < 256; ++i)
        for (int j = 0; j < 256; ++j)
            sum += i * x[i][j];
    printf("%.17g\n", sum);
}
