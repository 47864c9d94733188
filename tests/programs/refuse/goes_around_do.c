/* expect: serial ORR2112 8:21 `a[j]` */
/* 255, and on from 0 */
void sum(long *restrict a) {
#pragma orrery parallel
    for (int i = 0; i < 100; ++i) {
        unsigned char j = 255;
        do
            a[i] += a[j];
        while (++j < 10);
    }
}
