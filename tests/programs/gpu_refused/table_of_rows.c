/* expect: ORR2463 4 */
void add(float **w, const int *who, const float *x, long n, int K) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        for (int k = 0; k < K; ++k)
            w[who[i]][k] += x[i];
}
