/* expect: serial ORR2112 7:20 `a[p]` */
/* row pointers that the loop cannot know to be in order */
void csr(float *a, const int *begin, const int *end, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        for (int p = begin[n]; p < end[n]; ++p)
            a[p] = a[p] * .5f + n;
}
