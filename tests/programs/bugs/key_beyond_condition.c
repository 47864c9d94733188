/* expect: serial ORR2105 9:25 `W[key[i]]` */
/* The second use of the key is reached where `i % 3` is not 0: records that held the key only where
 * it is left those iterations in any block. */
void merge(unsigned *restrict W, unsigned *restrict V, const int *restrict key,
           const int *restrict other, int n) {
#pragma orrery parallel unordered
    for (int i = 0; i < n; ++i) {
        if (i % 3 == 0)
            W[key[i]] = W[key[i]] * 7u + 1u;
        V[other[i]] += 5u * V[other[i]] + 1u;
        if (V[other[i]] & 4)
            W[key[i]] = W[key[i]] * 5u + 1u;
    }
}
