/* expect: serial ORR2112 7:22 `val[p]` */
/* windows that begin at every element */
void f(const int *len, double *val, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int p = i; p < i + len[i]; ++p)
            val[p] = val[p] * .5 + 1;
}
