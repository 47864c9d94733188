/* expect: parallel independent unordered
 * carried: none
 */
void transpose(float *out, const float *in, int N, int M) {
#pragma orrery parallel unordered
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < M; ++j)
            out[i * M + j] = in[j * N + i];
}
