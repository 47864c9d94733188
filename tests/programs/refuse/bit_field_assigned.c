/* expect: serial ORR2105 14:16 `h[j]` */
/* What an assignment to a bit-field yields is what fits into it. */
void fill(long *restrict h, int n);

struct small {
    unsigned low : 4;
};

void fill(long *restrict h, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        struct small s;
        int j = (s.low = (unsigned)i);
        h[j] = h[j] * 3 + i;
    }
}
