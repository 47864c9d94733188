/* expect: serial ORR2201 8:16 `seed` */
/* loops in any order have no pipeline: what carries a value is said, not what a stage lacks */
void draw(float *restrict out, const int *restrict kind, long count) {
    unsigned long seed = 1;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        if (kind[n] == 0) continue;
        seed = seed * 25214903917ul + 11;
        out[n] = (float)(seed >> 16);
    }
}
