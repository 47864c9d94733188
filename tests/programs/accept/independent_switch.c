/* expect: parallel independent ordered
 * carried: none
 */
void classify(int *out, const float *in, const unsigned char *kind, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        switch (kind[n]) {
        case 0:
            out[n] = in[n] > 0;
            break;
        case 1:
            out[n] = in[n] > 1 ? 2 : 3;
            break;
        default:
            out[n] = -1;
        }
    }
}
