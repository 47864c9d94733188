/* expect: parallel independent ordered
 * carried: none
 * guard: val from ptr[i] to before ptr[i + 1], as when ptr is monotone
 */
void scale(const int *ptr, double *val, const double *g, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        double *v = val + ptr[i];
        for (int left = ptr[i + 1] - ptr[i]; left > 0; --left)
            *v++ *= g[i];
    }
}
