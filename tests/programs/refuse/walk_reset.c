/* expect: serial ORR2205 9:9 `*p++` */
/* a pointer that may begin anew */
void fill(int *restrict a, const int *restrict c, int n) {
    int *p = a;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        if (c[i])
            p = a;
        *p++ = i;
    }
}
