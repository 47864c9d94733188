/* expect: serial ORR2223 5:5 `for (int *p = a; p < end; p++)` */
/* the end moves */
void fill(int *a, int *end) {
#pragma orrery parallel
    for (int *p = a; p < end; p++) {
        *p = 1;
        end--;
    }
}
