/* ORR2102 */
/* without `unordered` two keys keep the file's order */
struct rating {
    int user, item;
    float value;
};

void pass(const struct rating *r, float *W, float *H, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        float e = r[n].value - W[r[n].user] * H[r[n].item];
        W[r[n].user] += .1f * e * H[r[n].item];
        H[r[n].item] += .1f * e * W[r[n].user];
    }
}
