/* expect: serial ORR2105 6:31 `w[index[i][j]]` */
void train(int n, const int *const *index, int *const *last, double *w) {
    #pragma orrery parallel assume(noalias(index, last, w))
    for (int i = 0; i < n; ++i) {
        for (int j = 0; !last[i][j]; ++j) {
            w[index[i][j]] += w[index[i][j]] * .5;
            if (w[index[i][j]] > 9)
                last[i][j + 1] = 1;
        }
    }
}
