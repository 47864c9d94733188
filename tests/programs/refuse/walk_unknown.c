/* expect: serial ORR2105 6:36 `*w` */
/* how far the pointer goes, and into whose row, is not known */
void halve(float *W, long rows, long k) {
#pragma orrery parallel
    for (long i = 0; i < rows; i++)
        for (float *w = W + i * k; *w >= 0; w++)
            *w *= .5f;
}
