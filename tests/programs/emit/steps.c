/* emit: 3 */
#include <stdio.h>
#include <stdlib.h>

/* Rows that no iteration reaches need not be there. */
static void rows(long **r, int n) {
#pragma orrery parallel
    for (int i = 1; i < n; i += 3)
        for (int k = 0; k < 8; k++)
            r[i][k] = r[i][k] * 3 + i;
}

static void rows_down(long **r, int n) {
#pragma orrery parallel
    for (int i = n; i >= 0; i -= 6)
        for (int k = 0; k < 8; k++)
            r[i][k] = (r[i][k] * 5 + i) % 10007;
}

static void flat(int *a, int n) {
#pragma orrery parallel
    for (int i = 2; i < n; i += 7)
        a[i] = a[i] * 3 + i;
}

int main(void) {
    long **r = calloc(300, sizeof *r), mix = 0;
    int *a = calloc(500, sizeof *a);
    for (int i = 1; i < 300; i += 3)
        r[i] = calloc(8, sizeof **r);
    for (int pass = 0; pass < 3; pass++) {
        rows(r, 290);
        rows_down(r, 286);
        flat(a, 499);
    }
    for (int i = 1; i < 300; i += 3)
        for (int k = 0; k < 8; k++)
            mix = (mix * 31 + r[i][k]) % 1000003;
    for (int i = 0; i < 500; i++)
        mix = (mix * 31 + a[i]) % 1000003;
    printf("%ld\n", mix);
    return 0;
}
