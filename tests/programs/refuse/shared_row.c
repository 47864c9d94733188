/* expect: serial ORR2112 11:62 `bias` */
/* one cell that every iteration changes and reads */
struct rating {
    int user, item;
    float value;
};

void pass(const struct rating *r, float *W, float *H, float *bias, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float e = r[n].value - W[r[n].user] * H[r[n].item] - bias[0];
        W[r[n].user] += .1f * e;
        H[r[n].item] += .1f * e;
        bias[0] += .01f * e;
    }
}
