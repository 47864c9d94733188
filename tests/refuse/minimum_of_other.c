/* expect: serial ORR2201 7:20 `least` */
/* compared with one value, set to another */
float odd_minimum(const float *x, const float *y, long count) {
    float least = x[0];
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        if (x[n] < least)
            least = y[n];
    return least;
}
