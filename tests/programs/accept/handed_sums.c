/* expect: parallel reduction unordered */
/* reductions: + grad, + total */
/* guards: some */
/* the function names the sums itself: a copy of it is told where they are */
static double total, grad[100];
static void add(int j, double x) {
    grad[j] += x;
    total += x;
}
void f(const int *idx, const double *x, int count) {
#pragma orrery parallel unordered
    for (int i = 0; i < count; i++)
        add(idx[i], x[i]);
}
