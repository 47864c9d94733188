/* expect: serial ORR2205 7:9 `W[a[n]] = ` */
/* rows change places while they are used */
void swap(float **W, const int *a, const int *b, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float *t = W[a[n]];
        W[a[n]] = W[b[n]];
        W[b[n]] = t;
        t[0] += 1;
    }
}
