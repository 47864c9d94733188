/* expect: serial ORR2223 6:5 `while (i < j)` */
/* two steps down may pass zero, and a size_t starts again at its greatest value */
void part(float *a, unsigned long n) {
    unsigned long i = 0, j = n - 1;
#pragma orrery parallel
    while (i < j) {
        a[i] += a[j];
        i++;
        j -= 2;
    }
}
