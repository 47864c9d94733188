/* expect: serial ORR2287 7:11 `place(i)` */
/* another definition may take the place of a weak one */
__attribute__((weak)) int place(int i) { return i; }
void count(float *a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[place(i)] += 1;
}
