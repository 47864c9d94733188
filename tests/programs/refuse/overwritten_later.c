/* expect: serial ORR2115 6:16 `a[i + 1]` */
/* no iteration needs what another made: one that is ahead would overwrite what is still read */
void next(float *restrict a, const float *restrict b, int n) {
#pragma orrery parallel
    for (int i = 0; i < n - 1; i++)
        a[i] = a[i + 1] + b[i];
}
