/* expect: parallel rotation-2d unordered
 * dims: u[i], v[i]
 * carried W: u[i]=0
 * carried W + users: v[i]=0
 * guard: the rows of W do not run into those of W + users
 */
void pass(float *W, const int *u, const int *v, const float *r, long n, int users, int K) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        float *a = W + (long)u[i] * K, *b = W + ((long)v[i] + users) * K;
        for (int k = 0; k < K; ++k) {
            float t = a[k];
            a[k] += r[i] * b[k];
            b[k] += r[i] * t;
        }
    }
}
