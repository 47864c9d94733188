/* expect: serial ORR2112 7:22 `val[p]` */
/* each row reaches over the next one */
void f(const int *ptr, double *val, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int p = ptr[i]; p < ptr[i + 2]; ++p)
            val[p] = val[p] * .5 + ptr[i + 1];
}
