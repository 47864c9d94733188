/* expect: serial ORR2112 7:22 `val[p]` */
/* the first element of a row is the last of the one before */
void f(const int *ptr, double *val, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int p = ptr[i] - 1; p < ptr[i + 1]; ++p)
            val[p] = val[p] * .5 + 1;
}
