/* expect: serial ORR2201 10:24 `b[7]` */
/* the label is converted to int, and is 1 */
void last(int *restrict b, const int *restrict kind, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        switch (kind[i] & 3) {
        case 2:
            break;
        case 4294967297L:
            if (n > 9) b[7] = i;
            break;
        default:
            b[i + 8] = i;
        }
    }
}
