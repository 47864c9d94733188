/* expect: serial ORR2270 10:13 `b = 5u` */
/* Beside an unsigned literal the number is compared as unsigned: -3 is more than 5. */
int least(const int *x, int n);

int least(const int *x, int n) {
    int b = -3;
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        if (b > 5u)
            b = 5u;
    return b + x[0];
}
