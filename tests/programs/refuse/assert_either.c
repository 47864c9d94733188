/* expect: serial ORR2104 11:16 `a[n - 1]` */
/* an assertion as another C library writes it: what follows counts as well */
_Noreturn void __assert_fail(const char *, const char *, unsigned, const char *);
#undef assert
#define assert(x) ((void)((x) || (__assert_fail(#x, __FILE__, __LINE__, __func__), 0)))

void decay(float *a, const float *x, long count) {
#pragma orrery parallel
    for (long n = 1; n < count; ++n) {
        assert(x[n] >= 0);
        a[n] = a[n - 1] / 2 + x[n];
    }
}
