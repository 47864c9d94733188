/* expect: serial ORR2112 7:26 `a[n]` */
/* two types for one array */
void pack(float *a, long count) {
    short *half = (short *)a;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        half[n] = (short)a[n];
}
