/* expect: serial ORR3130 8:9 `s[0]` */
/* says: `s[0]` is made of its own value before */
static unsigned long long s[2];
void f(double *x, long n) {
#pragma orrery parallel unordered relax(s)
    for (long i = 0; i < n; ++i) {
        unsigned long long t = s[0];
        s[0] = s[1];
        t ^= t << 23;
        s[1] = t ^ s[1];
        x[i] = (double)(s[0] + s[1]);
    }
}
