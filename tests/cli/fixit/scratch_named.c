/* ORR2232 */
double alpha[64][8], beta[8];

void forward(int n, int states, const int *restrict length, double *restrict likelihood) {
#pragma orrery parallel unordered
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < states; ++j)
            alpha[0][j] = 1.0 / states;
        for (int t = 1; t < length[i]; ++t)
            for (int j = 0; j < states; ++j)
                alpha[t][j] = .5 * alpha[t - 1][j] + .1 * j;
        likelihood[i] = alpha[length[i] - 1][0];
    }
}
