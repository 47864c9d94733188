/* expect: serial ORR3121 5:25 `extent(sum : 200)` */
/* says: the size of `sum` is known */
static double sum[100];
void f(const int *key, const double *x, long n) {
#pragma orrery parallel extent(sum : 200)
    for (long i = 0; i < n; ++i)
        sum[key[i]] += x[i];
}
