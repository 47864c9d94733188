/* expect: parallel rotation-2d unordered
 * keys: 2
 * carried W: r[i].user=0
 * carried W + 5000: r[i].item + 5000=0
 * guard: the rows of W do not run into those of W + 5000
 */
enum { USERS = 5000, K = 8 };
struct rating {
    int user, item;
};
static double W[7000][K];
void pass(const struct rating *r, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i)
        for (int k = 0; k < K; ++k) {
            double t = W[r[i].user][k];
            W[r[i].user][k] += .1 * W[USERS + r[i].item][k];
            W[USERS + r[i].item][k] += .1 * t;
        }
}
