/* ORR2201 */
void noise(float *W, long count, int epochs) {
    unsigned long long next_random = 1;
    for (int e = 0; e < epochs; ++e) {
#pragma orrery parallel unordered
        for (long n = 0; n < count; ++n) {
            for (int k = 0; k < 4; ++k) {
                next_random = next_random * (unsigned long long)25214903917 + 11;
                W[n] += (float)((next_random >> 16) & 0xFFFF) / 65536;
            }
        }
    }
}
