/* expect: serial ORR3122 5:25 `assume(range(col, 0, m))` */
/* the bound counts along */
void f(double *a, const int *col, long n) {
    int m = 0;
#pragma orrery parallel assume(range(col, 0, m))
    for (long i = 0; i < n; ++i) {
        m = i;
        a[col[i]] = a[col[i]] * .5 + m;
    }
}
