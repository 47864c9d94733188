/* expect: serial ORR2226 6:9 `__asm__` */
/* what it touches cannot be seen */
void fence(float *out, const float *in, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        __asm__ volatile("" ::: "memory");
        out[n] = in[n];
    }
}
