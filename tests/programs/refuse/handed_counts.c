/* expect: serial ORR2201 11:16 `mean(x` */
/* the sum is read between two additions, by the function that adds */
static double total;
static double mean(double x, int count) {
    total += x;
    return total / count;
}
void f(const double *restrict x, double *restrict y, int n) {
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++)
        y[i] = mean(x[i], i + 1);
}
