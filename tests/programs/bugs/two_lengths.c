/* same: 1 */
/* Two declarators with a length each, and calls in their initializers: no call can change a local
 * variable whose address nobody has, so both widths are known. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 200;
    double(*u)[n] = calloc((size_t)n, sizeof *u), (*f)[n] = calloc((size_t)n, sizeof *f);
    double sum = 0;
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            f[i][j] = (i + j) % 7, u[i][j] = i == 0;
    for (int i = 0; i < n; ++i)
        sum = sum * .99 + f[i][i] + u[i][n - 1 - i];
    printf("%g\n", sum);
    free(u);
    free(f);
    return 0;
}
