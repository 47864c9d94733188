/* expect: serial ORR2201 8:20 `least` */
/* says: `least` is compared with `x[n]` but set to `y[n]` (line 9) */
/* compared with one value, set to another */
float odd_minimum(const float *x, const float *y, long count) {
    float least = x[0];
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        if (x[n] < least)
            least = y[n];
    return least;
}
