/* expect: serial ORR2109 7:19 `A[a[n]]` */
/* a grid has four dims, and a list is made of keys alone */
void tensor(float *A, float *B, float *C, float *D, float *E, const int *a, const int *b,
            const int *c, const int *d, const int *e, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        A[a[n]] = A[a[n]] * .9f + 1;
        B[b[n]] = B[b[n]] * .9f + 1;
        C[c[n]] = C[c[n]] * .9f + 1;
        D[d[n]] = D[d[n]] * .9f + 1;
        E[e[n] + 1] = E[e[n] + 1] * .9f + 1;
    }
}
