/* ORR2204 */
/* the rows that are trained are chosen by what the loop writes */
void step(const float *restrict x, int *restrict label, float *restrict centre, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        label[i] = x[i] < centre[0];
        centre[label[i]] += .1f * (x[i] - centre[label[i]]);
    }
}
