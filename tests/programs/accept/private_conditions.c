/* expect: parallel independent unordered
 * private: t
 * carried: none
 */
void pairs(const float *x, const int *kind, float *out, long rows) {
    float t[8];
#pragma orrery parallel unordered
    for (long n = 0; n < rows; ++n) {
        if (kind[n] > 2)
            for (int k = 0; k < 8; ++k)
                t[k] = x[n * 8 + k];
        for (int k = 0; k < 8; ++k)
            if (kind[n] > 2 && k > 0)
                out[n * 8 + k] = t[k] - t[k - 1];
    }
}
