/* expect: ORR2464 6 */
float table_of(float x) __attribute__((const));
void add(float *w, const float *x, long n) {
#pragma orrery parallel assume(pure(table_of))
    for (long i = 0; i < n; ++i)
        w[i] = table_of(x[i]);
}
