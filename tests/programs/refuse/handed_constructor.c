/* expect: serial ORR2206 6:5 `result` */
/* a copy would run at the program's begin, too, without arguments */
static double result;
static double start = 2;
__attribute__((constructor)) static void square(void) {
    result = start * start;
}
static double last(void) {
    return result;
}
void squares(long count, double *restrict y) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        square();
        y[n] = last() * 2 + n;
    }
}
