/* expect: serial ORR2113 11:5 `for (long n = 0; n < count; ++n)` */
/* says: decided by the loop's own order */
/* by levels a later iteration may come before an earlier one that is as good */
struct rating {
    int user, item;
    float value;
};
long pass(const struct rating *r, float *W, float *H, long count) {
    long at = -1;
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        float e = r[n].value - W[r[n].user] * H[r[n].item];
        W[r[n].user] += .1f * e * H[r[n].item];
        H[r[n].item] += .1f * e * W[r[n].user];
        if (r[n].value > 3)
            at = n;
    }
    return at;
}
