/* expect: parallel independent ordered
 * carried: none
 * guard: word from tp[s] to before tp[s + 1]
 */
/* documents of sentences of tokens */
void number(const int *sp, const int *tp, int *word, int docs) {
#pragma orrery parallel
    for (int d = 0; d < docs; ++d)
        for (int s = sp[d]; s < sp[d + 1]; ++s)
            for (int t = tp[s]; t < tp[s + 1]; ++t)
                word[t] = word[t] * 2 + d;
}
