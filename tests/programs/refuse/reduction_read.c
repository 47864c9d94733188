/* expect: serial ORR2201 9:13 `loss > limit` */
/* says: would be a reduction (the sum at line 8) but for this use */
/* the running sum decides what happens */
void train(float *W, const int *u, const float *v, long count, float limit) {
    float loss = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        loss += v[n];
        if (loss > limit)
            W[u[n]] = 0;
    }
}
