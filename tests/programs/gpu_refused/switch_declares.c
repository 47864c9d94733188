/* expect: ORR2462 8 */
void turn(int *x, const int *y, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        switch (y[i]) {
        case 0:
            x[i] = 1;
            int last = y[i];
        default:
            last = 3;
            x[i] += last;
        }
}
