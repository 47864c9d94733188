/* expect: parallel independent ordered
 * carried: none
 */
void fill(float *W, const float *x, int n, int K) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int k = 0; k < K; k++)
            W[i * 64 + k] = x[i] * k;
}
