/* expect: serial ORR2270 10:13 `b = 300` */
/* A char does not become the 300 that it is compared with. */
int most(const int *x, int n);

int most(const int *x, int n) {
    unsigned char b = 200;
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        if (x[i] > 0 && b < 300)
            b = 300;
    return b;
}
