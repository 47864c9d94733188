/* expect: serial ORR2223 5:5 `for (unsigned char i = 250; i != 5; ++i)` */
/* from 250 to 255, and on from 0 */
void sum(long *restrict a) {
#pragma orrery parallel
    for (unsigned char i = 250; i != 5; ++i)
        a[i] = a[3] + 1;
}
