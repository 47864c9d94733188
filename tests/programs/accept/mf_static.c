/* expect: parallel rotation-2d unordered
 * dims: user[n], item[n]
 * carried W: user[n]=0
 * carried H: item[n]=0
 * guards: none
 */
static float W[2000][32], H[1000][32], value[50000];
static int user[50000], item[50000];

void pass(float rate) {
#pragma orrery parallel unordered
    for (int n = 0; n < 50000; ++n) {
        float e = value[n];
        for (int k = 0; k < 32; ++k)
            e -= W[user[n]][k] * H[item[n]][k];
        for (int k = 0; k < 32; ++k) {
            float wk = W[user[n]][k];
            W[user[n]][k] += rate * e * H[item[n]][k];
            H[item[n]][k] += rate * e * wk;
        }
    }
}
