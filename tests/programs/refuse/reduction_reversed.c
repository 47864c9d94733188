/* expect: serial ORR2201 7:20 `s` */
/* a sum that changes its sign each time is no sum */
float alternate(const float *x, long count) {
    float s = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        s = x[n] - s;
    return s;
}
