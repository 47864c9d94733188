/* ORR2304 */
void f(long n, float (*x)[n]) {
#define n 10
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        x[i][0] = 1;
#undef n
}
