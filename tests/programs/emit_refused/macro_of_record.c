/* ORR2290 */
#define k0 0.5f
float scaled(float x) {
    return k0 * x;
}
void add(const int *restrict u, const float *restrict r, float *restrict w, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        w[u[i]] += r[i] * w[u[i]];
}
