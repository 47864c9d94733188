/* Topics of documents by collapsed Gibbs sampling (Griffiths, Steyvers, PNAS 2004). */
#include "orrery.h"

#ifndef K
#define K 100 /* topics */
#endif

/* One pass: every token draws a topic by the counts of its document, of its word and of all. */
void sample(const int *doc, const int *word, int *topic, long n, int (*of_doc)[K], int (*of_word)[K],
            int *total, float alpha, float beta, float smooth, unsigned long seed) {
#pragma orrery parallel unordered relax(total)
    for (long i = 0; i < n; ++i) {
        int d = doc[i], w = word[i], z = topic[i], k = 0;
        float weight[K], sum = 0;
        --of_doc[d][z], --of_word[w][z], --total[z];
        for (int t = 0; t < K; ++t)
            weight[t] = ((float)of_doc[d][t] + alpha) * ((float)of_word[w][t] + beta) /
                        ((float)total[t] + smooth);
        for (int t = 0; t < K; ++t)
            sum += weight[t];
        float left = (float)orrery_uniform(seed, (unsigned long)i) * sum;
        while (k < K - 1 && left >= weight[k])
            left -= weight[k++];
        topic[i] = k;
        ++of_doc[d][k], ++of_word[w][k], ++total[k];
    }
}
