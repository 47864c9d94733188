/* expect: parallel rotation-2d unordered
 * dims: u[n], i[n]
 * carried W: u[n]=0
 * carried H: i[n]=0
 */
void pass(const int *u, const int *i, const float *v, int items, int K, float W[][K],
          float H[][items], long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float e = v[n];
        for (int k = 0; k < K; ++k)
            e -= W[u[n]][k] * H[k][i[n]];
        for (int k = 0; k < K; ++k) {
            float wk = W[u[n]][k];
            W[u[n]][k] += .01f * e * H[k][i[n]];
            H[k][i[n]] += .01f * e * wk;
        }
    }
}
