/* expect: serial ORR2205 8:13 `t[a[i]][f][k]` */
void step(int n, int F, int K, float ***t, float **other, const int *a, const float *x) {
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++) {
        t[a[i]][0] = other[i];
        for (int f = 0; f < F; f++) {
            for (int k = 0; k < K; k++)
            t[a[i]][f][k] += .1f * x[i];
        }
    }
}
