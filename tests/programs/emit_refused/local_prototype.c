/* ORR2305 */
/* In front of the function nobody has heard of `behind`. */
void fill(double *restrict a, int n) {
    double behind(int x);
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = behind(i);
}
double behind(int x) {
    return x * 0.5;
}
