/* ORR2305 */
/* The attribute stands where the tag is looked for. */
void fill(int *restrict a, int n) {
    struct __attribute__((packed)) couple {
        char c;
        int d;
    };
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        struct couple p;
        p.c = 1;
        p.d = i * 2;
        a[i] = p.c + p.d + (int)sizeof p;
    }
}
