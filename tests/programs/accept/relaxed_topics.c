/* expect: parallel rotation-2d unordered
 * dims: token[i].doc, token[i].word
 * carried of_doc: token[i].doc=0
 * carried of_word: token[i].word=0
 */
/* Topics of words: the counts of documents and words keep their dependences, the totals do not. */
unsigned long long orrery_random(unsigned long long seed, unsigned long long n);
struct token {
    int doc, word, topic;
};
enum { K = 50 };
void pass(struct token *token, long n, int (*of_doc)[K], int (*of_word)[K], int *total, int words,
          unsigned long long seed) {
#pragma orrery parallel unordered relax(total)
    for (long i = 0; i < n; ++i) {
        double sum[K], at = 0;
        int z = token[i].topic;
        --of_doc[token[i].doc][z];
        --of_word[token[i].word][z];
        --total[z];
        for (int k = 0; k < K; ++k)
            sum[k] = at += (of_doc[token[i].doc][k] + .1) * (of_word[token[i].word][k] + .01) /
                           (total[k] + .01 * words);
        double u =
            (double)(orrery_random(seed, (unsigned long long)i) >> 11) / 9007199254740992.0 * at;
        z = 0;
        while (z < K - 1 && sum[z] < u)
            ++z;
        token[i].topic = z;
        ++of_doc[token[i].doc][z];
        ++of_word[token[i].word][z];
        ++total[z];
    }
}
