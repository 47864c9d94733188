/* expect: parallel levels */
/* few iterations change `seldom`, all of it: those wait for each other, the others do not */
void f(float w[][4], float *seldom, const int *key, const int *other, const int *flag, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        if (flag[i] > 9)
            for (int k = 0; k < 4; ++k)
                seldom[k] = .9f * seldom[k] + w[key[i]][k];
        for (int k = 0; k < 4; ++k)
            w[key[i]][k] -= .1f * w[other[i]][k];
    }
}
