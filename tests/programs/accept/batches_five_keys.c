/* expect: parallel batches unordered */
/* a grid has four dims: what conflicts is kept apart record by record */
void tensor(float *A, float *B, float *C, float *D, float *E, const int *a, const int *b,
            const int *c, const int *d, const int *e, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        A[a[n]] = A[a[n]] * .9f + 1;
        B[b[n]] = B[b[n]] * .9f + 1;
        C[c[n]] = C[c[n]] * .9f + 1;
        D[d[n]] = D[d[n]] * .9f + 1;
        E[e[n]] = E[e[n]] * .9f + 1;
    }
}
