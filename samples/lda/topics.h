/*
 * What the two samplers of topics share: options, the corpus, a document's counts, the quality of a
 * model.
 */
#ifndef TOPICS_H
#define TOPICS_H

#include "../common/data.h"

#ifndef TOPICS
#define TOPICS 100
#endif
enum { K = TOPICS }; /* at most 65,535 */

struct token {
    int doc, word, topic;
};

struct corpus {
    long count;
    struct token *token;
    int docs, words;
};

struct settings {
    int epochs, seed, quiet, no_eval;
    double alpha, beta, held_out;
    const char *output;
};

#define AT(field) offsetof(struct settings, field)

static const struct option table[] = {
    {"--epochs", OPTION_INT, AT(epochs), 0, 1e6, "passes over the tokens (20)"},
    {"--alpha", OPTION_REAL, AT(alpha), 1e-6, 1e3, "prior of a document's topics (0.1)"},
    {"--beta", OPTION_REAL, AT(beta), 1e-6, 1e3, "prior of a topic's words (0.01)"},
    {"--held-out", OPTION_REAL, AT(held_out), 0, .9, "fraction of the tokens held out (0.1)"},
    {"--seed", OPTION_INT, AT(seed), 0, 1e9, "of topics and of what is held out (1)"},
    {"--no-eval-each-epoch", OPTION_FLAG, AT(no_eval), 0, 1, "likelihoods at the end only"},
    {"--output", OPTION_TEXT, AT(output), 0, 0, "PATH.h5, or PATH: PATH.of_word.npy"},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

/* ---- the corpus ---- */

static struct corpus read_corpus(const char *path) {
    struct orrery_bags bags;
    loaded(orrery_load_bags(path, &bags));
    if (bags.tokens == 0)
        data_empty(path, "words");
    struct corpus c = {.token = make(NULL, (size_t)bags.tokens, sizeof *c.token),
                       .docs = (int)bags.documents,
                       .words = bags.words};
    for (long n = 0; n < bags.entries; ++n)
        for (int k = 0; k < bags.entry[n].count; ++k)
            c.token[c.count++] = (struct token){bags.entry[n].document, bags.entry[n].word, 0};
    free(bags.entry);
    return c;
}

/* Moves tokens that are held out behind the others; the kept ones stand in a random order. */
static struct corpus split(struct corpus *c, double fraction, uint64_t seed) {
    struct corpus out = {.docs = c->docs, .words = c->words};
    long kept = 0;
    out.token = make(NULL, (size_t)c->count, sizeof *out.token);
    for (long i = 0; i < c->count; ++i)
        if (uniform(seed, (uint64_t)i) < fraction)
            out.token[out.count++] = c->token[i];
        else
            c->token[kept++] = c->token[i];
    c->count = kept;
    for (long i = kept - 1; i > 0; --i) {
        long j = (long)(uniform(seed + 1, (uint64_t)i) * (double)(i + 1));
        struct token other = c->token[j];
        c->token[j] = c->token[i];
        c->token[i] = other;
    }
    return out;
}

/* ---- what is counted ---- */

/* count[k]: tokens of topic k. The topics that have some are topic[j], 0 <= j < used, in no order;
 * topic k stands at at[k]. */
struct document {
    int used, count[K];
    unsigned short topic[K], at[K];
};

static void document_add(struct document *d, int k) {
    if (d->count[k]++ == 0) {
        d->at[k] = (unsigned short)d->used;
        d->topic[d->used++] = (unsigned short)k;
    }
}

static inline void document_take(struct document *d, int k) {
    if (--d->count[k] == 0) {
        int last = d->topic[--d->used];
        d->topic[d->at[k]] = (unsigned short)last;
        d->at[last] = d->at[k];
    }
}

/* ---- quality: minus the logarithm of a token's probability, in the mean ---- */

static double surprise(const struct corpus *c, const struct document *docs, int (*of_word)[K],
                       const int *total, double alpha, double beta) {
    double sum = 0, smooth = beta * c->words, every = 0;
    double *by_word = make(NULL, (size_t)(unsigned)c->words, sizeof *by_word);
    for (int k = 0; k < K; ++k)
        every += beta / (total[k] + smooth);
    for (int w = 0; w < c->words; ++w) {
        by_word[w] = alpha * every;
        for (int k = 0; k < K; ++k)
            by_word[w] += alpha * of_word[w][k] / (total[k] + smooth);
    }
    for (long i = 0; i < c->count; ++i) {
        const struct document *d = &docs[c->token[i].doc];
        const int *w = of_word[c->token[i].word];
        double p = by_word[c->token[i].word], all = alpha * K;
        for (int j = 0; j < d->used; ++j) {
            int k = d->topic[j];
            p += d->count[k] * (w[k] + beta) / (total[k] + smooth);
            all += d->count[k];
        }
        sum -= log(p / all);
    }
    free(by_word);
    return c->count ? sum / (double)c->count : NAN;
}

#endif
