/*
 * Word vectors from the words around them: GloVe (Pennington, Socher, Manning, EMNLP 2014). Counts
 * which words stand near each other in a text, then fits w . c + b + d to the logarithm of each
 * count by SGD with one AdaGrad rate per number.
 *
 * Build: cc -O3 glove.c -o glove -lorrery-load -lm     or     orrery-cc -O3 glove.c -o glove -lm
 */
#include "../common/data.h"

/* Without Orrery the one pragma below means nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

/* How often a word stands near another; nearer counts more. */
struct cell {
    int word, context;
    float count;
};

struct settings {
    int rank, epochs, window, least, seed, quiet, no_eval;
    double rate, most, power, held_out;
    const char *output, *vectors;
};

#define AT(field) offsetof(struct settings, field)

static const struct option table[] = {
    {"--rank", OPTION_INT, AT(rank), 1, 4096, "K: numbers per word (50)"},
    {"--epochs", OPTION_INT, AT(epochs), 0, 1e6, "passes over the counts (15)"},
    {"--rate", OPTION_REAL, AT(rate), 0, 1e6, "learning rate (0.05)"},
    {"--window", OPTION_INT, AT(window), 1, 1000, "words to the left that count (15)"},
    {"--least", OPTION_INT, AT(least), 1, 1e9, "a word has to occur so often (5)"},
    {"--most", OPTION_REAL, AT(most), 1e-9, 1e9, "counts from here on weigh 1 (10)"},
    {"--power", OPTION_REAL, AT(power), 0, 10, "of the weights below that (0.75)"},
    {"--held-out", OPTION_REAL, AT(held_out), 0, .9, "fraction of the counts held out (0.1)"},
    {"--seed", OPTION_INT, AT(seed), 0, 1e9, "of initial values and of the order (1)"},
    {"--no-eval-each-epoch", OPTION_FLAG, AT(no_eval), 0, 1, "held-out loss at the end only"},
    {"--output", OPTION_TEXT, AT(output), 0, 0, "PATH.h5, or PATH: PATH.W.npy, PATH.C.npy"},
    {"--vectors", OPTION_TEXT, AT(vectors), 0, 0, "file to write `word numbers...` to, as text"},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

/* ---- the text ---- */

struct text {
    char **name; /* of each word, the most frequent first */
    int words;
    int *token; /* word, or -1 for a rare one; -2 ends a line */
    long tokens;
};

struct entry {
    char *name;
    long count;
    int id;
};

/* Words by open addressing: at most half of the slots are taken. */
struct names {
    struct entry *slot;
    size_t slots, used;
};

static struct entry *names_find(struct names *names, const char *name) {
    size_t at = 5381;
    for (const char *c = name; *c; ++c)
        at = at * 33 + (unsigned char)*c;
    for (at &= names->slots - 1; names->slot[at].name && strcmp(names->slot[at].name, name) != 0;)
        at = (at + 1) & (names->slots - 1);
    return &names->slot[at];
}

static void names_grow(struct names *names) {
    struct names old = *names;
    names->slots = old.slots ? old.slots * 2 : 1 << 16;
    names->slot = make(NULL, names->slots, sizeof *names->slot);
    memset(names->slot, 0, names->slots * sizeof *names->slot);
    for (size_t i = 0; i < old.slots; ++i)
        if (old.slot[i].name)
            *names_find(names, old.slot[i].name) = old.slot[i];
    free(old.slot);
}

static int names_add(struct names *names, const char *name) {
    if (2 * names->used >= names->slots)
        names_grow(names);
    struct entry *entry = names_find(names, name);
    if (!entry->name) {
        size_t size = strlen(name) + 1;
        *entry = (struct entry){memcpy(make(NULL, size, 1), name, size), 0, (int)names->used++};
    }
    ++entry->count;
    return entry->id;
}

static int by_count(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count) : x->id - y->id;
}

/* Words in lines; everything but blanks belongs to a word. */
static long read_tokens(const char *path, struct names *names, struct text *text) {
    FILE *in = fopen(path, "r");
    char word[256];
    size_t length = 0;
    long capacity = 0;
    if (!in) {
        fprintf(stderr, "%s: error: cannot open: %s\n", path, strerror(errno));
        exit(1);
    }
    for (int c = 0; c != EOF;) {
        c = fgetc(in);
        if (c != EOF && !strchr(" \t\r\n", c)) {
            if (length + 1 < sizeof word && c != '\0')
                word[length++] = (char)c;
            continue;
        }
        word[length] = '\0';
        if (text->tokens + 2 > capacity)
            text->token =
                make(text->token, (size_t)(capacity += capacity / 2 + 65536), sizeof(int));
        if (length > 0)
            text->token[text->tokens++] = names_add(names, word);
        if (c == '\n')
            text->token[text->tokens++] = -2;
        length = 0;
    }
    if (ferror(in)) {
        fprintf(stderr, "%s: error: cannot read: %s\n", path, strerror(errno));
        exit(1);
    }
    fclose(in);
    return text->tokens;
}

static struct text read_text(const char *path, int least) {
    struct text text = {0};
    struct names names = {0};
    names_grow(&names);
    read_tokens(path, &names, &text);
    struct entry *word = make(NULL, names.used, sizeof *word);
    int *renumbered = make(NULL, names.used, sizeof *renumbered);
    size_t n = 0;
    for (size_t i = 0; i < names.slots; ++i)
        if (names.slot[i].name)
            word[n++] = names.slot[i];
    qsort(word, n, sizeof *word, by_count);
    text.name = make(NULL, n, sizeof *text.name);
    for (size_t i = 0; i < n; ++i) {
        int kept = word[i].count >= least;
        renumbered[word[i].id] = kept ? text.words : -1;
        if (kept)
            text.name[text.words++] = word[i].name;
        else
            free(word[i].name);
    }
    for (long t = 0; t < text.tokens; ++t)
        if (text.token[t] >= 0)
            text.token[t] = renumbered[text.token[t]];
    free(names.slot);
    free(word);
    free(renumbered);
    return text;
}

/* ---- the counts ---- */

struct cells {
    struct cell *cell;
    long count;
};

static int by_pair(const void *a, const void *b) {
    const struct cell *x = a, *y = b;
    return x->word != y->word ? (x->word > y->word) - (x->word < y->word)
                              : (x->context > y->context) - (x->context < y->context);
}

/* Sorts, and adds up the counts of equal pairs. */
static void cells_merge(struct cells *cells) {
    long kept = 0;
    if (cells->count == 0)
        return;
    qsort(cells->cell, (size_t)cells->count, sizeof *cells->cell, by_pair);
    for (long n = 0; n < cells->count; ++n) {
        if (kept > 0 && by_pair(&cells->cell[kept - 1], &cells->cell[n]) == 0)
            cells->cell[kept - 1].count += cells->cell[n].count;
        else
            cells->cell[kept++] = cells->cell[n];
    }
    cells->count = kept;
}

/* Both directions of every pair within the window, 1 / distance each; then in a random order. */
static struct cells count_cells(const struct text *text, const struct settings *s) {
    struct cells cells = {0};
    long capacity = 0;
    for (long t = 0; t < text->tokens; ++t) {
        for (long d = 1; d <= s->window && t - d >= 0 && text->token[t - d] != -2; ++d) {
            int word = text->token[t], context = text->token[t - d];
            if (word < 0 || context < 0)
                continue;
            if (cells.count + 2 > capacity) {
                cells_merge(&cells);
                if (2 * cells.count + 2 > capacity) {
                    capacity = 2 * capacity + (1 << 20);
                    cells.cell = make(cells.cell, (size_t)capacity, sizeof *cells.cell);
                }
            }
            cells.cell[cells.count++] = (struct cell){word, context, 1 / (float)d};
            cells.cell[cells.count++] = (struct cell){context, word, 1 / (float)d};
        }
    }
    cells_merge(&cells);
    for (long n = cells.count - 1; n > 0; --n) {
        long other = (long)(uniform((uint64_t)s->seed + 7, (uint64_t)n) * (double)(n + 1));
        struct cell kept = cells.cell[n];
        cells.cell[n] = cells.cell[other];
        cells.cell[other] = kept;
    }
    return cells;
}

/* ---- the model ---- */

/* Rows of rank numbers and a bias, and for each number the sum of squared gradients. */
struct model {
    float *W, *C, *GW, *GC;
};

static struct model make_model(int words, const struct settings *s) {
    size_t numbers = (size_t)words * (size_t)(s->rank + 1);
    struct model m = {make(NULL, numbers, sizeof(float)), make(NULL, numbers, sizeof(float)),
                      make(NULL, numbers, sizeof(float)), make(NULL, numbers, sizeof(float))};
    for (size_t i = 0; i < numbers; ++i) {
        m.W[i] = (float)((uniform((uint64_t)s->seed, 2 * i) - .5) / s->rank);
        m.C[i] = (float)((uniform((uint64_t)s->seed, 2 * i + 1) - .5) / s->rank);
        m.GW[i] = m.GC[i] = 1;
    }
    return m;
}

static float weight_of(float count, float most, float power) {
    return count < most ? powf(count / most, power) : 1;
}

/* One pass over the counts [0, count); returns the weighted squared error met on the way. */
static double train(struct model *m, const struct cell *cell, long count,
                    const struct settings *s) {
    float *W = m->W, *C = m->C, *GW = m->GW, *GC = m->GC;
    float rate = (float)s->rate, most = (float)s->most, power = (float)s->power;
    int K = s->rank;
    double loss = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float *w = W + (size_t)cell[n].word * (K + 1), *gw = GW + (size_t)cell[n].word * (K + 1);
        float *c = C + (size_t)cell[n].context * (K + 1);
        float *gc = GC + (size_t)cell[n].context * (K + 1);
        float e = w[K] + c[K] - logf(cell[n].count);
        for (int k = 0; k < K; ++k)
            e += w[k] * c[k];
        float step = weight_of(cell[n].count, most, power) * e;
        loss += .5 * (double)step * e;
        for (int k = 0; k < K; ++k) {
            float dw = step * c[k], dc = step * w[k];
            w[k] -= rate * dw / sqrtf(gw[k]);
            c[k] -= rate * dc / sqrtf(gc[k]);
            gw[k] += dw * dw;
            gc[k] += dc * dc;
        }
        w[K] -= rate * step / sqrtf(gw[K]);
        c[K] -= rate * step / sqrtf(gc[K]);
        gw[K] += step * step;
        gc[K] += step * step;
    }
    return loss / (double)(count ? count : 1);
}

static double evaluate(const struct model *m, const struct cell *cell, long from, long to,
                       const struct settings *s) {
    size_t K = (size_t)s->rank;
    double loss = 0;
    for (long n = from; n < to; ++n) {
        const float *w = m->W + (size_t)cell[n].word * (K + 1);
        const float *c = m->C + (size_t)cell[n].context * (K + 1);
        double e = w[K] + c[K] - log(cell[n].count);
        for (size_t k = 0; k < K; ++k)
            e += (double)w[k] * c[k];
        loss += .5 * weight_of(cell[n].count, (float)s->most, (float)s->power) * e * e;
    }
    return loss / (double)(to > from ? to - from : 1);
}

static void save_model(const struct settings *s, int words, const struct model *m) {
    struct orrery_model_array arrays[] = {
        model_array("W", ORRERY_NPY_FLOAT, m->W, words, s->rank + 1),
        model_array("C", ORRERY_NPY_FLOAT, m->C, words, s->rank + 1)};
    model_save(s->output, 2, arrays);
}

/* As GloVe's own program writes them: the sum of a word's two vectors. */
static void save_vectors(const struct settings *s, const struct text *text, const struct model *m) {
    FILE *file = model_open(s->vectors);
    for (int word = 0; word < text->words; ++word) {
        fputs(text->name[word], file);
        for (int k = 0; k < s->rank; ++k) {
            size_t at = (size_t)word * (size_t)(s->rank + 1) + (size_t)k;
            fprintf(file, " %.6f", (double)m->W[at] + m->C[at]);
        }
        fputc('\n', file);
    }
    model_close(s->vectors, file);
}

int main(int argc, char **argv) {
    struct settings s = {.rank = 50,
                         .epochs = 15,
                         .window = 15,
                         .least = 5,
                         .seed = 1,
                         .rate = .05,
                         .most = 10,
                         .power = .75,
                         .held_out = .1};
    const char *path =
        options_parse(argc, argv, "glove [options] TEXT", sizeof table / sizeof *table, table, &s);
    if (!path) {
        fprintf(stderr, "error: no text to read (--help lists the options)\n");
        return 2;
    }
    struct text text = read_text(path, s.least);
    struct cells cells = count_cells(&text, &s);
    if (cells.count == 0) {
        fprintf(stderr, "%s: error: no two words that occur %d times stand near each other\n", path,
                s.least);
        return 1;
    }
    long kept = cells.count - (long)(s.held_out * (double)cells.count);
    struct model m = make_model(text.words, &s);
    struct report report = {.quiet = s.quiet};
    if (!s.quiet)
        printf("%ld words, %d of them told apart, %ld counts\n", text.tokens, text.words,
               cells.count);
    for (int epoch = 0; epoch < s.epochs; ++epoch) {
        double begin = clock_seconds();
        double loss = train(&m, cells.cell, kept, &s);
        double seconds = clock_seconds() - begin;
        int last = epoch + 1 == s.epochs;
        report_pass(&report, loss,
                    s.no_eval && !last ? 0 : evaluate(&m, cells.cell, kept, cells.count, &s),
                    seconds);
    }
    report_end(&report);
    if (s.output)
        save_model(&s, text.words, &m);
    if (s.vectors)
        save_vectors(&s, &text, &m);
    for (int word = 0; word < text.words; ++word)
        free(text.name[word]);
    free(text.name);
    free(text.token);
    free(cells.cell);
    free(m.W);
    free(m.C);
    free(m.GW);
    free(m.GC);
    return 0;
}
