/* expect: serial ORR2214 13:16 `known[kind[i]](x[i])` */
typedef double (*function)(double);
static double twice(double x) {
    return 2 * x;
}
static double half(double x) {
    return x / 2;
}
static function known[3] = {twice, half};
void apply(int n, const int *restrict kind, const double *restrict x, double *restrict y) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        y[i] = known[kind[i]](x[i]);
}
void add(function f) {
    known[2] = f;
}
