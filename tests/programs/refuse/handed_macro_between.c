/* expect: serial ORR2206 5:5 `result` */
/* where the loop stands the variable's name is a macro: another one would be handed over */
static double result, other;
static void square(double x) {
    result = x * x;
}
static double last(void) {
    return result;
}
#define result other
void squares(long count, const double *restrict x, double *restrict y) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        (void)other;
        square(x[n]);
        y[n] = last() * 2;
    }
}
