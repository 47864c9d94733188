/*
 * Topics of documents by collapsed Gibbs sampling (Griffiths, Steyvers, PNAS 2004), from a bag of
 * words: a line `n word:count ...` per document, words from 0.
 *
 * Every token draws its topic by the counts of its document, of its word, and of all topics. Tokens
 * of one document conflict, and so do those of one word; the totals, which all tokens change,
 * hardly change: relax(total).
 *
 * Build: cc -O3 lda.c -o lda -lm     or     orrery-cc -O3 lda.c -o lda -lm
 */
/* Without Orrery the one pragma below means nothing, and that is all right; nor is all of program.h
 * wanted. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "../common/reader.h"

enum { K = 100 }; /* topics */

struct token {
    int doc, word, topic;
};

struct corpus {
    long count, room;
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
    {"--output", OPTION_TEXT, AT(output), 0, 0, "file to write the words' counts to"},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

/* ---- the corpus ---- */

static void add_token(struct corpus *c, int doc, int word) {
    if (c->count == c->room)
        c->token = make(c->token, (size_t)(c->room += c->room / 2 + 4096), sizeof *c->token);
    c->token[c->count++] = (struct token){doc, word, 0};
    c->docs = doc < c->docs ? c->docs : doc + 1;
    c->words = word < c->words ? c->words : word + 1;
}

/* A whole number up to one of `ends`, from 0 to `most`. */
static long read_whole(struct reader *in, const char *ends, long most, const char *what) {
    char *end;
    errno = 0;
    long value = strtol(in->at, &end, 10);
    if (end == in->at || (*end && !strchr(ends, *end)) || errno || value < 0 || value > most)
        reader_fail(in, "expected %s, a whole number from 0 to %ld", what, most);
    in->at = end;
    return value;
}

static void read_document(struct reader *in, struct corpus *c, int doc) {
    long n = read_whole(in, " \t\r\n", INT_MAX, "how many words follow");
    for (; n > 0; --n) {
        in->at += strspn(in->at, " \t\r\n");
        long word = read_whole(in, ":", INT_MAX - 1, "a word and a colon");
        if (*in->at++ != ':')
            reader_fail(in, "expected a colon");
        long count = read_whole(in, " \t\r\n", 1000000, "how often the word stands there");
        for (; count > 0; --count)
            add_token(c, doc, (int)word);
    }
    in->at += strspn(in->at, " \t\r\n");
    if (*in->at)
        reader_fail(in, "expected the end of the line");
}

static struct corpus read_corpus(const char *path) {
    struct corpus c = {0};
    struct reader in = reader_open(path);
    for (int doc = 0; reader_line(&in); ++doc)
        read_document(&in, &c, doc);
    fclose(in.file);
    if (c.count == 0) {
        fprintf(stderr, "%s: error: no words\n", path);
        exit(1);
    }
    return c;
}

/* Moves tokens that are held out behind the others; the kept ones stand in a random order. */
static struct corpus split(struct corpus *c, double fraction, uint64_t seed) {
    struct corpus out = {.docs = c->docs, .words = c->words};
    long kept = 0;
    for (long i = 0; i < c->count; ++i)
        if (uniform(seed, (uint64_t)i) < fraction)
            add_token(&out, c->token[i].doc, c->token[i].word);
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

/* ---- quality: minus the logarithm of a token's probability, in the mean ---- */

static double surprise(const struct corpus *c, int (*of_doc)[K], int (*of_word)[K],
                       const int *total, double alpha, double beta) {
    double sum = 0;
    for (long i = 0; i < c->count; ++i) {
        const int *d = of_doc[c->token[i].doc], *w = of_word[c->token[i].word];
        double p = 0, all = 0;
        for (int k = 0; k < K; ++k) {
            p += (d[k] + alpha) * (w[k] + beta) / (total[k] + beta * c->words);
            all += d[k] + alpha;
        }
        sum -= log(p / all);
    }
    return c->count ? sum / (double)c->count : NAN;
}

/* ---- sampling ---- */

static void pass(const struct settings *s, const struct corpus *c, int (*of_doc)[K],
                 int (*of_word)[K], int *total, uint64_t seed) {
    struct token *token = c->token;
    float alpha = (float)s->alpha, beta = (float)s->beta, smooth = beta * (float)c->words;
#pragma orrery parallel unordered relax(total)
    for (long i = 0; i < c->count; ++i) {
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
        float drawn = (float)uniform(seed, (uint64_t)i) * up_to;
        for (z = 0; z < K - 1 && sum[z] < drawn;)
            ++z;
        token[i].topic = z;
        ++of_doc[token[i].doc][z];
        ++of_word[token[i].word][z];
        ++total[z];
    }
}

static void save(const char *path, const struct corpus *c, int (*of_word)[K]) {
    FILE *file = model_open(path);
    fprintf(file, "lda-model %d %d\n", c->words, K);
    fwrite(of_word, sizeof *of_word, (size_t)c->words, file);
    model_close(path, file);
}

static void train(const struct settings *s, const struct corpus *c, const struct corpus *test) {
    int(*of_doc)[K] = make(NULL, (size_t)c->docs, sizeof *of_doc);
    int(*of_word)[K] = make(NULL, (size_t)c->words, sizeof *of_word);
    int *total = make(NULL, K, sizeof *total);
    struct report report = {.quiet = s->quiet, .train = NAN, .held_out = NAN};
    memset(of_doc, 0, (size_t)c->docs * sizeof *of_doc);
    memset(of_word, 0, (size_t)c->words * sizeof *of_word);
    memset(total, 0, K * sizeof *total);
    for (long i = 0; i < c->count; ++i) {
        int z = c->token[i].topic = (int)(hash((uint64_t)s->seed + 2, (uint64_t)i) % K);
        ++of_doc[c->token[i].doc][z];
        ++of_word[c->token[i].word][z];
        ++total[z];
    }
    for (int epoch = 0; epoch < s->epochs; ++epoch) {
        double start = clock_seconds();
        pass(s, c, of_doc, of_word, total, (uint64_t)(s->seed + 100 + epoch));
        double seconds = clock_seconds() - start;
        int wanted = !s->no_eval || epoch + 1 == s->epochs;
        report_pass(&report, wanted ? surprise(c, of_doc, of_word, total, s->alpha, s->beta) : 0,
                    wanted ? surprise(test, of_doc, of_word, total, s->alpha, s->beta) : NAN,
                    seconds);
    }
    report_end(&report);
    if (s->output)
        save(s->output, c, of_word);
    free(of_doc);
    free(of_word);
    free(total);
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
