/* expect: serial ORR2270 12:16 `good && ok(x[n], calls` */
/* says: whether it is called depends on the iterations before */
/* a function that is not called any more once one value fails counts its calls */
static int ok(float x, long *calls) {
    ++*calls;
    return x > 0;
}
int all(const float *x, long count, long *calls) {
    int good = 1;
#pragma orrery parallel
    for (long n = 0; n < count; ++n)
        good = good && ok(x[n], calls);
    return good;
}
