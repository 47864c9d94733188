/* expect: serial ORR2270 13:13 `falls++` */
/* says: how often it happens depends on the iterations before */
/* how often the minimum falls */
long arg_min(const float *x, long count, float *y) {
    float least = x[0];
    long where = 0;
    long falls = 0;
#pragma orrery parallel unordered
    for (long n = 1; n < count; ++n) {
        if (x[n] < least) {
            least = x[n];
            where = n;
            falls++;
        }
    }
    return where + falls;
}
