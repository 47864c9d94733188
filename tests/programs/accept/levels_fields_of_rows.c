/* expect: parallel levels ordered
 * keys: 2
 * carried y: pair
 */
/* all iterations touch fields 0 and 1: rows tell them apart, though a loop names some of those */
void f(double (*restrict y)[2], const int *restrict head, const int *restrict tail,
       const int *restrict sample, long n) {
#pragma orrery parallel
    for (long e = 0; e < n; ++e) {
        double *a = y[head[e]], *b = y[tail[e]];
        a[0] += .1 * (b[0] - a[0]);
        b[1] -= .1 * (b[1] - a[1]);
        for (int s = 0; s < 5; ++s) {
            double *c = y[sample[5 * e + s]];
            a[0] -= .01 / (1 + c[0] * c[0]);
            a[1] -= .01 / (1 + c[1] * c[1]);
        }
    }
}
