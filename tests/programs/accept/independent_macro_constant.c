/* expect: parallel independent ordered
 * carried: none
 */
#define SCALAR_VALUE(x) x
#define SCALE(x, y) (SCALAR_VALUE(x) * SCALAR_VALUE(y))
void clear(double *restrict out, const double *restrict in, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        out[i] = SCALAR_VALUE(0.0) + SCALE(in[i], 1.5e-3);
}
