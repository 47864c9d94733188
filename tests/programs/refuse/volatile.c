/* expect: serial ORR2227 8:26 `flag` */
/* memory that others may watch */
extern volatile int flag;

void watch(float *out, const float *in, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        out[n] = in[n] * flag;
}
