/* ORR3102 */
double scale(float *a, long n) {
    double s = 0;
#pragma orrery parallel reduction(* : s)
    for (long i = 0; i < n; ++i)
        s += a[i];
    return s;
}
