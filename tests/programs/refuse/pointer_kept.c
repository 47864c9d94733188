/* expect: serial ORR2201 7:22 `kept` */
/* the body keeps a pointer to what the iteration before used */
void pass(float *W, const int *u, const float *v, long count) {
    float *kept = W;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float old = *kept;
        kept = &W[u[n]];
        *kept = old * .5f + v[n];
    }
}
