/* expect: serial ORR2112 7:17 `a[j]` */
/* the two ends pass each other */
void fold(float *a, int n) {
    int i = 0, j = n - 1;
#pragma orrery parallel
    while (i < j + 4) {
        a[i] += a[j];
        i++;
        j--;
    }
}
