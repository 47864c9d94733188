/*
 * WarpLDA judged as samples/lda is: on the tokens that the samples hold out (seed 1, a tenth).
 *
 * usage: peers_lda BAG                the tokens that learn, a line per document, as WarpLDA's
 *                                     `format` reads them
 *        peers_lda BAG WORDS TOPICS   what its topics are worth: minus the mean logarithm of the
 *                                     probability of a token held out. WORDS: its vocabulary file,
 *                                     TOPICS: its file of `word:topic`, a line per document
 */
#include "../../samples/lda/topics.h"

static FILE *open_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "%s: cannot open\n", path);
        exit(1);
    }
    return file;
}

static int by_document(const void *a, const void *b) {
    const struct token *x = a, *y = b;
    return (x->doc > y->doc) - (x->doc < y->doc);
}

static void print_documents(struct corpus *c) {
    long at = 0;
    qsort(c->token, (size_t)c->count, sizeof *c->token, by_document);
    for (int d = 0; d < c->docs; ++d) {
        printf("d%d d%d", d, d);
        for (; at < c->count && c->token[at].doc == d; ++at)
            printf(" w%d", c->token[at].word);
        putchar('\n');
    }
}

/* word_of[i]: the word that WarpLDA calls i. */
static int *read_words(const char *path, int words) {
    FILE *file = open_file(path);
    int *word_of = make(NULL, (size_t)words, sizeof *word_of), count = 0;
    while (count < words && fscanf(file, " w%d", &word_of[count]) == 1)
        ++count;
    fclose(file);
    return word_of;
}

static double judge(const struct corpus *c, const struct corpus *test, const int *word_of,
                    FILE *topics) {
    struct document *docs = make(NULL, (size_t)c->docs, sizeof *docs);
    int(*of_word)[K] = make(NULL, (size_t)c->words, sizeof *of_word);
    int *total = make(NULL, K, sizeof *total), tokens, word, topic;
    long seen = 0;
    memset(docs, 0, (size_t)c->docs * sizeof *docs);
    memset(of_word, 0, (size_t)(unsigned)c->words * sizeof *of_word);
    memset(total, 0, K * sizeof *total);
    for (int d = 0; d < c->docs && fscanf(topics, "%d", &tokens) == 1; ++d)
        for (; tokens > 0 && fscanf(topics, "%d:%d", &word, &topic) == 2; --tokens, ++seen) {
            document_add(&docs[d], topic);
            ++of_word[word_of[word]][topic];
            ++total[topic];
        }
    if (seen != c->count) {
        fprintf(stderr, "peers_lda: topics of %ld tokens, not of %ld\n", seen, c->count);
        exit(1);
    }
    return surprise(test, docs, of_word, total, .1, .01);
}

int main(int argc, char **argv) {
    if (argc != 2 && argc != 4)
        return 2;
    struct corpus c = read_corpus(argv[1]), test = split(&c, .1, 1);
    if (argc == 2)
        print_documents(&c);
    else
        printf("%.6f\n", judge(&c, &test, read_words(argv[2], c.words), open_file(argv[3])));
    return 0;
}
