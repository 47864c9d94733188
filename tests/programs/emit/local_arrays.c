/* emit: 2 */
#include <stdio.h>

int main(void) {
    float x[100];
    int grid[50][8], out[50];
    static long marks[100];
    const int scale = 3;
#pragma orrery parallel
    for (int i = 0; i < 100; ++i) {
        x[i] = (float)i / scale;
        marks[i] = (long)(sizeof x / sizeof x[0]) + (long)sizeof(grid[0]) + i;
    }
#pragma orrery parallel
    for (int i = 0; i < 50; ++i) {
        out[i] = 0;
        for (int j = 0; j < 8; ++j) {
            grid[i][j] = i * j;
            out[i] += grid[i][j];
        }
    }
    double sum = 0;
    for (int i = 0; i < 100; ++i)
        sum += x[i] + marks[i];
    for (int i = 0; i < 50; ++i)
        sum += out[i];
    printf("%.4f\n", sum);
    return 0;
}
