/* expect: serial ORR2250 7:9 `idx[i] = ` */
/* says: the loop writes `idx`, of whose values before the loop the pragma assumes something */
void f(double *a, int *idx, long n) {
#pragma orrery parallel assume(injective(idx))
    for (long i = 0; i < n; ++i) {
        a[idx[i]] = a[idx[i]] + i;
        idx[i] = 0;
    }
}
