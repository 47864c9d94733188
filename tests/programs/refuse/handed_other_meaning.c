/* expect: serial ORR2233 15:9 `square(x` */
/* where the loop stands the variable's name is a constant's: 0 would be handed over, a null pointer */
static double result[2];
static void square(double x) {
    result[0] = x * x;
}
static double last(void) {
    return result[0];
}
void squares(long count, const double *restrict x, double *restrict y) {
    enum { result, factor = 2 };
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        (void)result;
        square(x[n]);
        y[n] = last() * factor;
    }
}
