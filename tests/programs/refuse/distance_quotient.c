/* expect: serial ORR2112 12:24 `b[i]` */
/*
 * `n / 2` and n are not two free values: a guard that asks for n of at least 2 * (n / 2) + 2, or for
 * a loop of one iteration, would stop every program.
 */
void spread(int *a, int n) {
    int b[n];
    for (int i = 0; i < n; i++)
        b[i] = a[i];
#pragma orrery parallel
    for (int i = 0; i < n / 2; i++)
        b[2 * i + 1] = b[i] + 1;
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}
