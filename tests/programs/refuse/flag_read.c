/* expect: serial ORR2270 9:26 `found` */
/* says: `found` decides here whether it is set */
/* what is found decides about the rest */
long first(const float *x, long count) {
    long at = -1;
    int found = 0;
#pragma orrery parallel
    for (long n = 0; n < count; ++n)
        if (x[n] > 3 && !found) {
            found = 1;
            at = n;
        }
    return at;
}
