/* Records whose keys stand beside what the loop writes: it is inspected once, and again when the program
 * has changed a key.
 * inspected: passes 6 iterations 24000, inspections 2
 */
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { COUNT = 4000, DOCS = 30, WORDS = 40, K = 4 };

struct token {
    int doc, word, topic;
};

static void pass(struct token *token, long count, int (*of_doc)[K], int (*of_word)[K]) {
#pragma orrery parallel unordered
    for (long i = 0; i < count; ++i) {
        --of_doc[token[i].doc][token[i].topic];
        --of_word[token[i].word][token[i].topic];
        token[i].topic = (token[i].topic + of_doc[token[i].doc][0] + of_word[token[i].word][1]) % K;
        ++of_doc[token[i].doc][token[i].topic];
        ++of_word[token[i].word][token[i].topic];
    }
}

int main(void) {
    struct token *token = malloc(COUNT * sizeof *token);
    int(*of_doc)[K] = calloc(DOCS, sizeof *of_doc), (*of_word)[K] = calloc(WORDS, sizeof *of_word);
    for (int i = 0; i < COUNT; ++i) {
        token[i] = (struct token){i * 7 % DOCS, i * 11 % (WORDS - 1), i % K};
        ++of_doc[token[i].doc][token[i].topic];
        ++of_word[token[i].word][token[i].topic];
    }
    for (int p = 0; p < 6; ++p) {
        if (p == 3) {
            --of_word[token[COUNT / 2].word][token[COUNT / 2].topic];
            token[COUNT / 2].word = WORDS - 1;
            ++of_word[token[COUNT / 2].word][token[COUNT / 2].topic];
        }
        pass(token, COUNT, of_doc, of_word);
    }
    for (int d = 0; d < DOCS; ++d)
        printf("%d %d %d %d\n", of_doc[d][0], of_doc[d][1], of_doc[d][2], of_doc[d][3]);
    for (int w = 0; w < WORDS; ++w)
        printf("%d %d %d %d\n", of_word[w][0], of_word[w][1], of_word[w][2], of_word[w][3]);
    free(token), free(of_doc), free(of_word);
    return 0;
}
