/* expect: serial ORR2112 6:18 `state[1]` */
static double state[4];
void walk(const double *restrict x, double *restrict out, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        out[n] = state[1] * state[0];
        state[1] = x[n];
    }
}
