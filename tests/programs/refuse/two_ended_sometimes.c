/* expect: serial ORR2223 6:5 `while (i < j)` */
/* how far the upper end moves depends on the data */
void part(float *a, int n, float pivot) {
    int i = 0, j = n - 1;
#pragma orrery parallel
    while (i < j) {
        if (a[j] > pivot)
            j--;
        a[i] = a[j];
        i++;
        j--;
    }
}
