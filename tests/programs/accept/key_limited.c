/* expect: parallel rotation-2d unordered
 * keys: 2
 * carried bin: u[n] % 7=0
 * carried out: u[n]=0
 */
void limited(int *bin, const int *u, float *out, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        if (bin[u[n] % 7] < 10) {
            bin[u[n] % 7]++;
            out[u[n]] = out[u[n]] * .5f + 1;
        }
}
