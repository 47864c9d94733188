#include <stdio.h>

extern double rhs[5][64][64][64];
void scale(double d);

int main(void) {
    for (int i = 0; i < 64; ++i)
        for (int j = 0; j < 64; ++j)
            for (int k = 0; k < 64; ++k)
                rhs[1][i][j][k] = i - j + k;
    for (int pass = 0; pass < 1000; ++pass)
        scale(pass % 2 ? .5 : 2);
    double sum = 0;
    for (int i = 0; i < 64; ++i)
        for (int j = 0; j < 64; ++j)
            for (int k = 0; k < 64; ++k)
                sum += rhs[1][i][j][k] * i;
    printf("%.17g\n", sum);
}
