/* expect: parallel tournament unordered
 * dims: b[n], a[n]
 * rotating: V
 *
 * Both rows come out of one table.
 */
static void learn(float *row, float *other, float value) {
    row[0] += value * other[0];
    other[0] += value * row[0];
}

void pass(float *V, const int *a, const int *b, const float *v, int K, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        learn(V + a[n] * K, V + b[n] * K, v[n]);
}
