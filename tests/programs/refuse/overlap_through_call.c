/* expect: serial ORR2107 10:16 `a[i]` */
/* a function hands back a place inside of its argument */
static float *from(float *a, int z) {
    return a + z;
}
void shift(float *a, int n, int z) {
    float *p = from(a, z);
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        p[i] = a[i] + 1;
}
