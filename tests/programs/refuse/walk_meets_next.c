/* expect: serial ORR2115 7:16 `*q++` */
/* two pointers that walk one behind the other */
void shift(int *a, int n) {
    int *p = a, *q = a + 1;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        *p++ = *q++ + 1;
}
