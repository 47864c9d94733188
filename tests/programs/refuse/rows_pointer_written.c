/* expect: serial ORR2115 6:34 `ptr[i + 1]` */
/* the pointers to the rows change meanwhile */
void f(int *ptr, double *val, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        for (int p = ptr[i]; p < ptr[i + 1]; ++p)
            val[p] = val[p] * .5 + 1;
        ptr[i] = 0;
    }
}
