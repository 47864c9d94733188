/* expect: serial ORR2112 7:22 `val[p - 1]` */
/* the element before a row is of another row */
void f(const int *ptr, double *val, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int p = ptr[i]; p < ptr[i + 1]; ++p)
            val[p] = val[p - 1] * .5 + 1;
}
