/* expect: parallel tournament unordered
 * dims: x[n].head, x[n].relation, x[n].tail
 * carried E: pair
 * carried R: x[n].relation=0
 * carried degree: x[n].tail=0
 * rotating: E R
 *
 * Entities in one table, relations in another; something that only the tails have.
 */
struct triple {
    int head, relation, tail;
};

void transe(float *E, float *R, float *degree, const struct triple *x, int K, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float *h = E + (long)x[n].head * K, *t = E + (long)x[n].tail * K;
        float *r = R + (long)x[n].relation * K;
        degree[x[n].tail] = degree[x[n].tail] * .9f + 1;
        for (int k = 0; k < K; ++k) {
            float d = h[k] + r[k] - t[k];
            h[k] -= .01f * d;
            r[k] -= .01f * d;
            t[k] += .01f * d;
        }
    }
}
