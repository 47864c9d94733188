/* expect: serial ORR2205 8:9 `W[a[n]] = ` */
/* says: where the write to `t[0]` goes is not known: `W[a[n]]` is read from memory the loop writes (line 8) */
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
