/* expect: serial ORR2223 6:5 `while (i < n)` */
/* a `continue` may skip what advances the variable */
void fill(int *restrict a, const int *restrict c, int n) {
    int i = 0;
#pragma orrery parallel
    while (i < n) {
        if (c[i])
            continue;
        a[i] = 1;
        i++;
    }
}
