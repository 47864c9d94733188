/*
 * Topics of documents by collapsed Gibbs sampling (Griffiths, Steyvers, PNAS 2004), from a bag of
 * words. A token draws its topic from what its document has, in the document's list of topics, and
 * from alias tables of what its word had when the pass began, which a Metropolis-Hastings test puts
 * right (Li, Ahmed, Ravi, Smola, "Reducing the sampling complexity of topic models", KDD 2014): the
 * cost of a token does not grow with the number of topics.
 *
 * Tokens of one document conflict, and so do those of one word; the totals, which all tokens
 * change, hardly change: relax(total).
 *
 * Build: cc -O3 lda.c -o lda -lorrery-load -lm     or     orrery-cc -O3 lda.c -o lda -lm
 */
#include "topics.h"

/* Without Orrery the one pragma below means nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { STEPS = 2 }; /* draws per token and pass */

/* ---- alias tables (Walker 1974, in Vose's way) of what the words had when the pass began ---- */

/*
 * Slot j of a table gives topic[j] with probability keep[j], otherwise other[j]. Word w has room
 * for as many slots as it can have topics, from begin[w] on; `used` of them have the topics that it
 * has, by rising topic, with the weights n_wk / (n_k + W beta), in all `sum`. K slots of `every`
 * are for what is left, beta / (n_k + W beta), in all sum_every.
 */
struct slot {
    int topic, other;
    float keep, weight;
};

struct word {
    int used;
    float sum;
};

struct aliases {
    long *begin;
    struct slot *slot, *every;
    struct word *word;
    float sum_every;
    int *todo;
};

/* Makes a table of the slots' weights; `todo` has room for as many slots. */
static float alias_build(struct slot *slot, long count, int *todo) {
    double sum = 0;
    long small = 0, large = count;
    for (long j = 0; j < count; ++j)
        sum += slot[j].weight;
    for (long j = 0; j < count; ++j) {
        slot[j].keep = (float)(slot[j].weight * (double)count / sum);
        slot[j].other = slot[j].topic;
        todo[slot[j].keep < 1 ? small++ : --large] = (int)j;
    }
    while (small > 0 && large < count) {
        struct slot *less = &slot[todo[--small]], *more = &slot[todo[large]];
        less->other = more->topic;
        more->keep -= 1 - less->keep;
        if (more->keep < 1)
            todo[small++] = todo[large++];
    }
    while (small > 0)
        slot[todo[--small]].keep = 1;
    while (large < count)
        slot[todo[large++]].keep = 1;
    return (float)sum;
}

static struct aliases aliases_make(const struct corpus *c) {
    struct aliases a = {.begin = make(NULL, (size_t)c->words + 1, sizeof *a.begin),
                        .every = make(NULL, K, sizeof *a.every),
                        .word = make(NULL, (size_t)c->words, sizeof *a.word),
                        .todo = make(NULL, K, sizeof *a.todo)};
    long begin = 0;
    memset(a.begin, 0, ((size_t)c->words + 1) * sizeof *a.begin);
    for (long i = 0; i < c->count; ++i)
        ++a.begin[c->token[i].word];
    for (int w = 0; w <= c->words; ++w) {
        long tokens = w < c->words ? a.begin[w] : 0;
        a.begin[w] = begin;
        begin += tokens < K ? tokens : K;
    }
    a.slot = make(NULL, (size_t)begin, sizeof *a.slot);
    return a;
}

static void aliases_build(struct aliases *a, int words, int (*of_word)[K], const int *total,
                          double beta) {
    for (int w = 0; w < words; ++w) {
        struct slot *slot = a->slot + a->begin[w];
        int used = 0;
        for (int k = 0; k < K; ++k)
            if (of_word[w][k] > 0)
                slot[used++] = (struct slot){
                    .topic = k, .weight = (float)(of_word[w][k] / (total[k] + beta * words))};
        a->word[w] = (struct word){used, alias_build(slot, used, a->todo)};
    }
    for (int k = 0; k < K; ++k)
        a->every[k] =
            (struct slot){.topic = k, .weight = (float)(beta / (total[k] + beta * words))};
    a->sum_every = alias_build(a->every, K, a->todo);
}

static int alias_draw(const struct slot *slot, long count, double u) {
    double at = u * (double)count;
    long j = (long)at < count ? (long)at : count - 1;
    return (float)(at - (double)j) < slot[j].keep ? slot[j].topic : slot[j].other;
}

/* The weight that a topic has in a word's table, 0 when it is not there. */
static float alias_weight(const struct slot *slot, long low, long high, int topic) {
    long end = high;
    while (low < high) {
        long middle = (low + high) / 2;
        if (slot[middle].topic < topic)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && slot[low].topic == topic ? slot[low].weight : 0;
}

/* ---- sampling ---- */

static void pass(const struct settings *s, const struct corpus *c, struct document *docs,
                 int (*of_word)[K], int *total, const struct aliases *a, uint64_t seed) {
    struct token *token = c->token;
    const struct slot *slot = a->slot, *every = a->every;
    const long *begin = a->begin;
    const struct word *words = a->word;
    float alpha = (float)s->alpha, beta = (float)s->beta, smooth = beta * (float)c->words;
    float sum_every = a->sum_every;
#pragma orrery parallel unordered relax(total)
    for (long i = 0; i < c->count; ++i) {
        struct document *d = &docs[token[i].doc];
        int word = token[i].word, z = token[i].topic;
        long first = begin[word], slots = words[word].used;
        float listed = 0, upto[K];
        document_take(d, z);
        --of_word[word][z];
        --total[z];
        for (int j = 0; j < d->used; ++j) {
            int k = d->topic[j];
            listed +=
                (float)d->count[k] * ((float)of_word[word][k] + beta) / ((float)total[k] + smooth);
            upto[j] = listed;
        }
        for (int step = 0; step < STEPS; ++step) {
            uint64_t number = ((uint64_t)i * STEPS + (uint64_t)step) * 3;
            double u = uniform(seed, number) * (listed + alpha * (words[word].sum + sum_every));
            double v = uniform(seed, number + 1);
            int t = 0, j = 0;
            if (u < listed) {
                while (j < d->used - 1 && upto[j] <= u)
                    ++j;
                t = d->topic[j];
            } else if (u < listed + alpha * words[word].sum && slots > 0) {
                t = alias_draw(slot + first, slots, v);
            } else {
                t = alias_draw(every, K, v);
            }
            float have_t = (float)d->count[t], have_z = (float)d->count[z];
            float now_t = ((float)of_word[word][t] + beta) / ((float)total[t] + smooth);
            float now_z = ((float)of_word[word][z] + beta) / ((float)total[z] + smooth);
            float was_t = alias_weight(slot, first, first + slots, t) + every[t].weight;
            float was_z = alias_weight(slot, first, first + slots, z) + every[z].weight;
            float gain = (have_t + alpha) * now_t * (have_z * now_z + alpha * was_z);
            float loss = (have_z + alpha) * now_z * (have_t * now_t + alpha * was_t);
            z = uniform(seed, number + 2) * loss < gain ? t : z;
        }
        token[i].topic = z;
        document_add(d, z);
        ++of_word[word][z];
        ++total[z];
    }
}

static void train(const struct settings *s, const struct corpus *c, const struct corpus *test) {
    struct document *docs = make(NULL, (size_t)c->docs, sizeof *docs);
    int(*of_word)[K] = make(NULL, (size_t)c->words, sizeof *of_word);
    int *total = make(NULL, K, sizeof *total);
    struct aliases a = aliases_make(c);
    struct report report = {.quiet = s->quiet};
    memset(docs, 0, (size_t)c->docs * sizeof *docs);
    memset(of_word, 0, (size_t)(unsigned)c->words * sizeof *of_word);
    memset(total, 0, K * sizeof *total);
    for (long i = 0; i < c->count; ++i) {
        int z = c->token[i].topic = (int)(hash((uint64_t)s->seed + 2, (uint64_t)i) % K);
        document_add(&docs[c->token[i].doc], z);
        ++of_word[c->token[i].word][z];
        ++total[z];
    }
    for (int epoch = 0; epoch < s->epochs; ++epoch) {
        double start = clock_seconds();
        aliases_build(&a, c->words, of_word, total, s->beta);
        pass(s, c, docs, of_word, total, &a, (uint64_t)(s->seed + 100 + epoch));
        double seconds = clock_seconds() - start;
        int wanted = !s->no_eval || epoch + 1 == s->epochs;
        report_pass(&report, wanted ? surprise(c, docs, of_word, total, s->alpha, s->beta) : 0,
                    wanted ? surprise(test, docs, of_word, total, s->alpha, s->beta) : NAN,
                    seconds);
    }
    report_end(&report);
    if (s->output) {
        struct orrery_model_array counts =
            model_array("of_word", ORRERY_NPY_INT32, of_word, c->words, K);
        model_save(s->output, 1, &counts);
    }
    free(docs);
    free(of_word);
    free(total);
    free(a.begin);
    free(a.slot);
    free(a.every);
    free(a.word);
    free(a.todo);
}

int main(int argc, char **argv) {
    struct settings s = {.epochs = 20, .alpha = .1, .beta = .01, .held_out = .1, .seed = 1};
    const char *path = options_parse(argc, argv, "lda [options] BAG_OF_WORDS",
                                     sizeof table / sizeof *table, table, &s);
    if (!path) {
        options_usage(stderr, "lda [options] BAG_OF_WORDS", sizeof table / sizeof *table, table);
        return 2;
    }
    struct corpus c = read_corpus(path), test = split(&c, s.held_out, (uint64_t)s.seed);
    if (!s.quiet)
        printf("%ld tokens, %ld held out, %d documents, %d words, %d topics\n", c.count, test.count,
               c.docs, c.words, K);
    train(&s, &c, &test);
    free(c.token);
    free(test.token);
    return 0;
}
