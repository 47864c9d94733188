/* expect: serial ORR2113 14:5 `for (long n = 0; n < count; ++n)` */
/* says: e is used after the loop */
/* the last iteration in the file's order need not be the last one to run */
struct rating {
    int user, item;
    float value;
};

float pass(const struct rating *r, float *W, float *H, long count) {
    float e = 0;
    if (count < 1)
        return e;
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        e = r[n].value - W[r[n].user] * H[r[n].item];
        W[r[n].user] += .1f * e * H[r[n].item];
        H[r[n].item] += .1f * e * W[r[n].user];
    }
    return e;
}
