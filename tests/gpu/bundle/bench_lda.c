/*
 * Latent Dirichlet allocation by Gibbs sampling of generated tokens: documents and words rotate,
 * the totals of the topics are relaxed. usage: bench_lda TOKENS PASSES [COPY_GB_PER_S]
 */
#include "generate.h"

enum { K = 128 };

struct token {
    int doc, word, topic;
};

static void pass(struct token *token, long count, int (*of_doc)[K], int (*of_word)[K], int *total,
                 int words, uint64_t seed) {
    float alpha = .1f, beta = .01f, smooth = beta * (float)words;
#pragma orrery parallel unordered relax(total)
    for (long i = 0; i < count; ++i) {
        int z = token[i].topic;
        float sum[K], up_to = 0;
        --of_doc[token[i].doc][z];
        --of_word[token[i].word][z];
        --total[z];
        for (int k = 0; k < K; ++k)
            sum[k] = ((float)of_doc[token[i].doc][k] + alpha) *
                     ((float)of_word[token[i].word][k] + beta) / ((float)total[k] + smooth);
        for (int k = 0; k < K; ++k)
            sum[k] = up_to += sum[k];
        float drawn = (float)uniform(seed + (uint64_t)i) * up_to;
        for (z = 0; z < K - 1 && sum[z] < drawn;)
            ++z;
        token[i].topic = z;
        ++of_doc[token[i].doc][z];
        ++of_word[token[i].word][z];
        ++total[z];
    }
}

int main(int argc, char **argv) {
    long count = argc > 1 ? atol(argv[1]) : 100000;
    int passes = argc > 2 ? atoi(argv[2]) : 1, big = count >= 1000000;
    double copy = argc > 3 ? atof(argv[3]) : 0, best = INFINITY;
    int docs = big ? 100000 : 200, words = big ? 50000 : 150;
    struct token *token = make((size_t)count, sizeof *token);
    int(*of_doc)[K] = make((size_t)docs, sizeof *of_doc);
    int(*of_word)[K] = make((size_t)words, sizeof *of_word);
    int *total = make(K, sizeof *total);
    for (long n = 0; n < count; ++n) {
        token[n] = (struct token){draw((uint64_t)n * 3, docs), draw((uint64_t)n * 3 + 1, words),
                                  (int)(uniform((uint64_t)n * 3 + 2) * K)};
        ++of_doc[token[n].doc][token[n].topic];
        ++of_word[token[n].word][token[n].topic];
        ++total[token[n].topic];
    }
    for (int p = 0; p < passes; ++p) {
        double start = now();
        pass(token, count, of_doc, of_word, total, words, (uint64_t)(p + 1) << 40);
        double seconds = now() - start;
        best = seconds < best ? seconds : best;
        printf("lda pass %d seconds %.4f\n", p + 1, seconds);
    }
    report("lda topics 128", "tokens", (double)count, best, (double)count * (8.0 * K + 24), copy);
    free(token), free(of_doc), free(of_word), free(total);
    return 0;
}
