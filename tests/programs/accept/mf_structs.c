/* expect: parallel rotation-2d unordered
 * dims: r[n].user, r[n].item
 * carried users: r[n].user=0
 * carried items: r[n].item=0
 */
struct rating {
    int user, item;
    float value;
};

struct profile {
    float bias;
    float factor[16];
};

static void learn(struct profile *w, struct profile *h, float value, float rate) {
    float e = value - w->bias - h->bias;
    for (int k = 0; k < 16; ++k)
        e -= w->factor[k] * h->factor[k];
    w->bias += rate * e;
    h->bias += rate * e;
    for (int k = 0; k < 16; ++k) {
        float wk = w->factor[k];
        w->factor[k] += rate * e * h->factor[k];
        h->factor[k] += rate * e * wk;
    }
}

void pass(const struct rating *r, struct profile *users, struct profile *items, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        learn(&users[r[n].user], &items[r[n].item], r[n].value, .01f);
}
