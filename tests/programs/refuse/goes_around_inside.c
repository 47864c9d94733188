/* expect: serial ORR2105 7:20 `a[j]` */
/* from 250 to 255, and on from 0 */
void sum(int n, long *restrict a) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (unsigned char j = 250; j != 5; ++j)
            a[j] = a[j] * 3 % 1000 + i;
}
