/* expect: parallel reduction ordered
 * reductions: & all, | any, ^ odd
 */
void bits(const unsigned *x, long count, unsigned *out) {
    unsigned all = ~0u, any = 0, odd = 0;
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        all &= x[n];
        any |= x[n];
        odd ^= x[n];
    }
    out[0] = all;
    out[1] = any;
    out[2] = odd;
}
