/*
 * Topics of documents by Metropolis-Hastings with delayed counts (Chen, Li, Zhu, Chen, "WarpLDA: a
 * cache efficient O(1) algorithm for latent Dirichlet allocation", VLDB 2016). A pass visits the
 * tokens twice, word by word and document by document. A visit counts the topics of its tokens,
 * tests what the visit before proposed, and proposes what the next one tests. Counts stand still
 * while they are used: the cost of a token depends on nothing, and visits of different words, or
 * of different documents, share nothing but the topics' totals of the visits before.
 *
 * Build: cc -O3 lda_delayed.c -o lda_delayed -lorrery-load -lm     or     orrery-cc -O3 ...
 */
#include "../lda/topics.h"

/* Without Orrery the one pragma below means nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef STEPS
#define STEPS 1 /* proposals per token and visit */
#endif

enum { SAMPLE = 4096 }; /* tokens of a group that proposals are drawn from, at most */

struct state {
    unsigned short topic, proposal[STEPS];
};

/* Tokens in groups: those of group g stand at begin[g] up to begin[g + 1]; token j of this order is
 * token from[j] of the other. */
struct groups {
    int count;
    long *begin;
    int *from;
    struct state *state;
};

static int random_part(uint32_t random, long count) {
    return (int)((uint64_t)random * (uint64_t)count >> 32);
}

/* Visits all groups: takes the tokens' state from the other order. weight[k]: 1 over the total of
 * topic k, smoothed; next[k]: its new total; prior: what each topic has in each group from the
 * start. Proposals are the topics of tokens of the group, in large ones of every stride-th. */
static void visit(int groups, const long *begin, const int *from, const struct state *other,
                  struct state *state, const float *weight, int *next, float prior, uint64_t seed) {
#pragma orrery parallel unordered
    for (int g = 0; g < groups; ++g) {
        long count = begin[g + 1] - begin[g], stride = 1 + count / SAMPLE, seen = 0, picked = 0;
        long turn = (long)(seed % (uint64_t)stride);
        float all = K * prior;
        uint32_t any = (uint32_t)(all / (all + (float)count) * 4294967040.f);
        int have[K] = {0};
        unsigned short sample[SAMPLE];
        for (long j = begin[g]; j < begin[g + 1]; ++j) {
            state[j] = other[from[j]];
            ++have[state[j].topic];
        }
        for (long j = begin[g]; j < begin[g + 1]; ++j) {
            int old = state[j].topic, z = old;
            float mine = ((float)(have[z] - 1) + prior) * weight[z];
            for (int s = 0; s < STEPS; ++s) {
                int t = state[j].proposal[s];
                float theirs = ((float)(have[t] - (t == old)) + prior) * weight[t];
                uint64_t random = hash(seed, (uint64_t)(j * STEPS + s));
                int taken = (float)(random >> 40) * mine < theirs * 16777216.f;
                z = taken ? t : z;
                mine = taken ? theirs : mine;
            }
            state[j].topic = (unsigned short)z;
            ++next[z];
            if (seen++ == turn) {
                sample[picked++] = (unsigned short)z;
                turn += stride;
            }
        }
        for (long j = begin[g]; j < begin[g + 1]; ++j)
            for (int s = 0; s < STEPS; ++s) {
                uint64_t random = hash(seed + 1, (uint64_t)(j * STEPS + s));
                uint32_t part = (uint32_t)(random >> 32);
                int among_all = random_part(part, K), among = random_part(part, picked);
                state[j].proposal[s] =
                    (uint32_t)random < any ? (unsigned short)among_all : sample[among];
            }
    }
}

/* ---- the two orders ---- */

static int group_of(const struct token *token, int by_word) {
    return by_word ? token->word : token->doc;
}

static struct groups sort_tokens(const struct corpus *c, int by_word) {
    struct groups g = {.count = by_word ? c->words : c->docs};
    g.begin = make(NULL, (size_t)g.count + 2, sizeof *g.begin);
    g.from = make(NULL, (size_t)c->count, sizeof *g.from);
    g.state = make(NULL, (size_t)c->count, sizeof *g.state);
    memset(g.begin, 0, ((size_t)g.count + 2) * sizeof *g.begin);
    for (long i = 0; i < c->count; ++i)
        ++g.begin[group_of(&c->token[i], by_word) + 2];
    for (int i = 1; i <= g.count; ++i)
        g.begin[i + 1] += g.begin[i];
    for (long i = 0; i < c->count; ++i)
        g.from[g.begin[group_of(&c->token[i], by_word) + 1]++] = (int)i;
    return g;
}

/* Turns both `from`, which name tokens as the corpus has them, into places in the other order. */
static void link_orders(struct groups *a, struct groups *b, long count) {
    int *place = make(NULL, (size_t)count, sizeof *place);
    for (long j = 0; j < count; ++j)
        place[a->from[j]] = (int)j;
    for (long j = 0; j < count; ++j)
        b->from[j] = place[b->from[j]];
    for (long j = 0; j < count; ++j)
        a->from[b->from[j]] = (int)j;
    free(place);
}

static void free_groups(struct groups *g) {
    free(g->begin);
    free(g->from);
    free(g->state);
}

/* ---- training ---- */

struct model {
    struct document *docs;
    int (*of_word)[K], *total;
    float *weight;
};

/* Counts the topics that the tokens have in the documents' order. */
static void count_all(const struct corpus *c, const struct groups *docs, const struct groups *words,
                      struct model *m) {
    memset(m->docs, 0, (size_t)c->docs * sizeof *m->docs);
    memset(m->of_word, 0, (size_t)(unsigned)c->words * sizeof *m->of_word);
    memset(m->total, 0, K * sizeof *m->total);
    for (int d = 0; d < docs->count; ++d)
        for (long j = docs->begin[d]; j < docs->begin[d + 1]; ++j) {
            document_add(&m->docs[d], docs->state[j].topic);
            ++m->total[docs->state[j].topic];
        }
    for (int w = 0; w < words->count; ++w)
        for (long j = words->begin[w]; j < words->begin[w + 1]; ++j)
            ++m->of_word[w][docs->state[words->from[j]].topic];
}

static void visit_all(struct groups *g, const struct groups *other, struct model *m, float prior,
                      float smooth, uint64_t seed) {
    for (int k = 0; k < K; ++k)
        m->weight[k] = 1 / ((float)m->total[k] + smooth);
    memset(m->total, 0, K * sizeof *m->total);
    visit(g->count, g->begin, g->from, other->state, g->state, m->weight, m->total, prior, seed);
}

static void train(const struct settings *s, const struct corpus *c, const struct corpus *test) {
    struct groups docs = sort_tokens(c, 0), words = sort_tokens(c, 1);
    struct model m = {make(NULL, (size_t)c->docs, sizeof *m.docs),
                      make(NULL, (size_t)c->words, sizeof *m.of_word),
                      make(NULL, K, sizeof *m.total), make(NULL, K, sizeof *m.weight)};
    struct report report = {.quiet = s->quiet};
    float smooth = (float)(s->beta * c->words);
    link_orders(&docs, &words, c->count);
    for (long i = 0; i < c->count; ++i) {
        struct state *state = &docs.state[i];
        state->topic = (unsigned short)(hash((uint64_t)s->seed + 2, (uint64_t)i) % K);
        for (int k = 0; k < STEPS; ++k)
            state->proposal[k] = state->topic;
    }
    count_all(c, &docs, &words, &m);
    for (int epoch = 0; epoch < s->epochs; ++epoch) {
        double start = clock_seconds();
        uint64_t seed = (uint64_t)s->seed + 100 + 4 * (uint64_t)epoch;
        visit_all(&words, &docs, &m, (float)s->beta, smooth, seed);
        visit_all(&docs, &words, &m, (float)s->alpha, smooth, seed + 2);
        double seconds = clock_seconds() - start;
        int wanted = !s->no_eval || epoch + 1 == s->epochs;
        if (wanted)
            count_all(c, &docs, &words, &m);
        report_pass(
            &report, wanted ? surprise(c, m.docs, m.of_word, m.total, s->alpha, s->beta) : 0,
            wanted ? surprise(test, m.docs, m.of_word, m.total, s->alpha, s->beta) : NAN, seconds);
    }
    report_end(&report);
    if (s->output) {
        struct orrery_model_array counts =
            model_array("of_word", ORRERY_NPY_INT32, m.of_word, c->words, K);
        model_save(s->output, 1, &counts);
    }
    free(m.docs);
    free(m.of_word);
    free(m.total);
    free(m.weight);
    free_groups(&docs);
    free_groups(&words);
}

int main(int argc, char **argv) {
    struct settings s = {.epochs = 60, .alpha = .1, .beta = .01, .held_out = .1, .seed = 1};
    const char *usage = "lda_delayed [options] BAG_OF_WORDS";
    const char *path = options_parse(argc, argv, usage, sizeof table / sizeof *table, table, &s);
    if (!path) {
        options_usage(stderr, usage, sizeof table / sizeof *table, table);
        return 2;
    }
    struct corpus c = read_corpus(path), test = split(&c, s.held_out, (uint64_t)s.seed);
    if (c.count > INT_MAX) {
        fprintf(stderr, "%s: error: more than %d tokens\n", path, INT_MAX);
        return 1;
    }
    if (!s.quiet)
        printf("%ld tokens, %ld held out, %d documents, %d words, %d topics\n", c.count, test.count,
               c.docs, c.words, K);
    train(&s, &c, &test);
    free(c.token);
    free(test.token);
    return 0;
}
