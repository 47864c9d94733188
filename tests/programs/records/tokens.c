/* Tokens of documents: each takes the topic that its document and its word like best by now. */
#include <stdio.h>
#include <stdlib.h>

enum { DOCUMENTS = 300, WORDS = 200, TOPICS = 6, TOKENS = DOCUMENTS * 12 };

static int doc_start[DOCUMENTS + 1], word[TOKENS], topic[TOKENS];
static int in_document[DOCUMENTS][TOPICS], of_word[WORDS][TOPICS];

int main(void) {
    unsigned seed = 1;
    int d, i;
    for (d = 0; d < DOCUMENTS; ++d)
        doc_start[d + 1] = doc_start[d] + d % 13;
    for (i = 0; i < doc_start[DOCUMENTS]; ++i) {
        seed = seed * 1103515245u + 12345u;
        word[i] = (int)(seed >> 8) % WORDS;
        topic[i] = (int)(seed >> 16) % TOPICS;
    }
    for (d = 0; d < DOCUMENTS; ++d)
        for (i = doc_start[d]; i < doc_start[d + 1]; ++i) {
            in_document[d][topic[i]]++;
            of_word[word[i]][topic[i]]++;
        }
    for (int sweep = 0; sweep < 4; ++sweep) {
#pragma orrery parallel unordered
        for (d = 0; d < DOCUMENTS; ++d) {
            for (i = doc_start[d]; i < doc_start[d + 1]; ++i) {
                int w = word[i], best = 0;
                in_document[d][topic[i]]--;
                of_word[w][topic[i]]--;
                for (int t = 1; t < TOPICS; ++t)
                    if (in_document[d][t] * 3 + of_word[w][t] * 2 >
                        in_document[d][best] * 3 + of_word[w][best] * 2)
                        best = t;
                topic[i] = best;
                in_document[d][best]++;
                of_word[w][best]++;
            }
        }
        long sum = 0;
        for (i = 0; i < doc_start[DOCUMENTS]; ++i)
            sum += (long)topic[i] * (i % 101);
        printf("%d %d %ld\n", d, i, sum);
    }
    return 0;
}
