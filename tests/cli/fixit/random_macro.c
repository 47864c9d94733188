/* ORR2102 */
#include <orrery.h>

struct rating {
    int user, item;
};

void step(float *W, float *H, const struct rating *r, long count) {
    ORRERY_PARALLEL(grid(4, 4))
    for (long n = 0; n < count; ++n) {
        float w = W[r[n].user];
        W[r[n].user] += 0.1f * H[r[n].item];
        H[r[n].item] += 0.1f * w;
    }
}
