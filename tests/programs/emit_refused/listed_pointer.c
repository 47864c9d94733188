/* ORR2125 */
/* where a row's pointer stands in a round is not said before the loop runs */
void solve(float *restrict a, const float *restrict val, const int *restrict idx, const int *restrict ptr, int n) {
#pragma orrery parallel
    for (int i = 1; i < n; ++i)
        for (const int *p = idx + ptr[i]; p < idx + ptr[i + 1]; ++p)
            a[i] -= val[i] * a[*p];
}
