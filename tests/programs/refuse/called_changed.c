/* expect: serial ORR2214 18:16 `m->act(x[i])` */
typedef double (*function)(double);
struct model {
    function act;
};
static double twice(double x) {
    return 2 * x;
}
static double half(double x) {
    return x / 2;
}
function known[2] = {twice, half};
void apply(int n, const double *restrict x, double *restrict y, struct model *restrict m) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        if (x[i] > 40)
            m->act = half;
        y[i] = m->act(x[i]);
    }
}
