/* expect: serial ORR2231 11:22 `t[0]` */
/* the second case is reached without the first */
void scratch(float *out, const float *a, const int *kind, long rows) {
    float t[2] = {0};
#pragma orrery parallel unordered
    for (long n = 0; n < rows; ++n)
        switch (kind[n]) {
        case 0:
            t[0] = a[n]; /* fall through */
        case 1:
            out[n] = t[0];
            break;
        default:
            out[n] = 0;
        }
}
