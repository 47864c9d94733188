/* expect: serial ORR2112 9:26 `val[t]` */
/* bounds that name a variable which the loop made of them hides */
void f(const int *sp, const int *tp, double *val, int n, int s) {
#pragma orrery parallel
    for (int d = 0; d < n; ++d) {
        int lo = sp[d + s], hi = sp[d + s + 1];
        for (int s = lo; s < hi; ++s)
            for (int t = tp[s]; t < tp[s + 1]; ++t)
                val[t] = val[t] * .5 + 1;
    }
}
