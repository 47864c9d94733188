/* expect: serial ORR2107 7:16 `a[i - 1]` */
/* one of two pointers: it may be the array that is read */
void shift(float *a, float *b, int n) {
    float *p = n > 5 ? a : b;
#pragma orrery parallel
    for (int i = 1; i < n; ++i)
        p[i] = a[i - 1];
}
