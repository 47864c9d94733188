/* expect: parallel ordered-rotation ordered
 * dims: r[n].user, r[n].item
 * carried W: r[n].user=0
 * carried H: r[n].item=0
 */
struct rating {
    int user, item;
    float value;
};

void pass(const struct rating *restrict r, float *restrict W, float *restrict H, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        float e = r[n].value - W[r[n].user] * H[r[n].item];
        W[r[n].user] += .1f * e * H[r[n].item];
        H[r[n].item] += .1f * e * W[r[n].user];
    }
}
