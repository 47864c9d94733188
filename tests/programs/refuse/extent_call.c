/* expect: serial ORR3122 5:25 `extent(sum : count(x))` */
/* says: `count(x)` is not a value that stands before the loop */
long count(const double *x);
void f(double *sum, const int *key, const double *x, long n) {
#pragma orrery parallel extent(sum : count(x))
    for (long i = 0; i < n; ++i)
        sum[key[i]] += x[i];
}
