/* expect: parallel independent|reduction ordered
 * private: seen
 */
float last(float *out, const float *in, long count) {
    float seen = 0;
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        seen = in[n] * 2;
        out[n] = seen + 1;
    }
    return seen;
}
