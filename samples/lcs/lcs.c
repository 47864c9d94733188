/*
 * What two texts have in common: the longest common subsequence, the edit distance, or the best
 * local alignment (Smith and Waterman), each by a table with a row per letter of the first and a
 * column per letter of the second text; and the way through the table.
 *
 * Build: cc -O3 lcs.c -o lcs     or     orrery-cc -O3 lcs.c -o lcs
 */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Without Orrery the pragmas below mean nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { MATCH = 2, MISMATCH = -1, GAP = -2, MOST_LETTERS = 100000 };

enum method { COMMON, EDIT, LOCAL };

struct options {
    const char *files[2], *output;
    enum method method;
    int letters, seed, repeat;
};

/* Letters one after the other, without what stands between them. */
struct text {
    char *letter;
    int count;
};

static void usage(FILE *stream) {
    fputs("usage: lcs [options] [FILE FILE]\n"
          "  FILE           a text, or a sequence in FASTA: lines that begin with > are left out, "
          "and so are blanks\n"
          "  --letters N    without files: two random sequences of about N letters (4000)\n"
          "  --seed N       of these sequences (1)\n"
          "  --edit         the edit distance instead of the longest common subsequence\n"
          "  --local        the best local alignment instead: 2 for equal letters, -1 for others, "
          "-2 for a gap\n"
          "  --repeat N     fill the table so often, to measure it (1)\n"
          "  --output FILE  write the letters in common, in order\n",
          stream);
}

static int parse_number(const char *option, const char *text, long least, long most) {
    char *end;
    errno = 0;
    long value = text ? strtol(text, &end, 10) : 0;
    if (!text || end == text || *end || errno || value < least || value > most) {
        fprintf(stderr, "error: %s %s: expected a number from %ld to %ld\n", option,
                text ? text : "", least, most);
        exit(2);
    }
    return (int)value;
}

static struct options parse_options(int argc, char **argv) {
    struct options o = {.letters = 4000, .seed = 1, .repeat = 1};
    int files = 0;
    for (int i = 1; i < argc; ++i) {
        const char *arg = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(arg, "--letters") == 0) {
            o.letters = parse_number(arg, next, 1, MOST_LETTERS), ++i;
        } else if (strcmp(arg, "--seed") == 0) {
            o.seed = parse_number(arg, next, 0, 1000000000), ++i;
        } else if (strcmp(arg, "--repeat") == 0) {
            o.repeat = parse_number(arg, next, 1, 1000000), ++i;
        } else if (strcmp(arg, "--output") == 0 && next) {
            o.output = next, ++i;
        } else if (strcmp(arg, "--edit") == 0) {
            o.method = EDIT;
        } else if (strcmp(arg, "--local") == 0) {
            o.method = LOCAL;
        } else if (strcmp(arg, "--help") == 0) {
            usage(stdout);
            exit(0);
        } else if (arg[0] != '-' && files < 2) {
            o.files[files++] = arg;
        } else {
            fprintf(stderr, "error: unexpected `%s`\n", arg);
            usage(stderr);
            exit(2);
        }
    }
    if (files == 1) {
        fprintf(stderr, "error: one file; two texts are compared\n");
        exit(2);
    }
    return o;
}

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fprintf(stderr, "error: no memory for %zu numbers\n", count);
        exit(1);
    }
    return memory;
}

/* ---- texts ---- */

static struct text read_text(const char *path) {
    FILE *file = fopen(path, "r");
    struct text text = {allocate(MOST_LETTERS, 1), 0};
    int line = 1, start = 1, title = 0, c;
    if (!file) {
        fprintf(stderr, "%s: error: cannot open: %s\n", path, strerror(errno));
        exit(1);
    }
    for (; (c = getc(file)) != EOF; start = c == '\n', line += c == '\n') {
        title = start ? c == '>' : title;
        if (title || isspace(c))
            continue;
        if (text.count == MOST_LETTERS) {
            fprintf(stderr, "%s:%d: error: more than %d letters\n", path, line, MOST_LETTERS);
            exit(1);
        }
        text.letter[text.count++] = (char)c;
    }
    fclose(file);
    if (text.count == 0) {
        fprintf(stderr, "%s:%d: error: no letters\n", path, line);
        exit(1);
    }
    return text;
}

static unsigned draw(uint64_t *state, unsigned below) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % below;
}

/* One sequence, and the same after some mutations. */
static void random_texts(const struct options *o, struct text texts[2]) {
    uint64_t state = (uint64_t)o->seed * 2 + 1;
    for (int t = 0; t < 2; ++t)
        texts[t] = (struct text){allocate((size_t)o->letters * 2, 1), 0};
    for (int i = 0; i < o->letters; ++i) {
        char letter = "ACGT"[draw(&state, 4)];
        unsigned fate = draw(&state, 8);
        texts[0].letter[texts[0].count++] = letter;
        if (fate > 0)
            texts[1].letter[texts[1].count++] = fate > 1 ? letter : "ACGT"[draw(&state, 4)];
        if (fate == 7)
            texts[1].letter[texts[1].count++] = "ACGT"[draw(&state, 4)];
    }
}

/* ---- tables: row i and column j belong to the first i and j letters ---- */

static void fill_common(const char *restrict a, const char *restrict b, int rows, int columns,
                        int *restrict table) {
#pragma orrery parallel
    for (int i = 1; i < rows; ++i) {
        int *row = table + (size_t)i * columns, *up = row - columns;
        for (int j = 1; j < columns; ++j)
            if (a[i - 1] == b[j - 1])
                row[j] = up[j - 1] + 1;
            else
                row[j] = up[j] > row[j - 1] ? up[j] : row[j - 1];
    }
}

static void fill_edit(const char *restrict a, const char *restrict b, int rows, int columns,
                      int *restrict table) {
    for (int j = 0; j < columns; ++j)
        table[j] = j;
#pragma orrery parallel
    for (int i = 1; i < rows; ++i) {
        int *row = table + (size_t)i * columns, *up = row - columns;
        row[0] = i;
        for (int j = 1; j < columns; ++j) {
            int best = up[j - 1] + (a[i - 1] != b[j - 1]);
            best = up[j] + 1 < best ? up[j] + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
        }
    }
}

static int fill_local(const char *restrict a, const char *restrict b, int rows, int columns,
                      int *restrict table) {
    int most = 0;
#pragma orrery parallel
    for (int i = 1; i < rows; ++i) {
        int *row = table + (size_t)i * columns, *up = row - columns;
        for (int j = 1; j < columns; ++j) {
            int best = up[j - 1] + (a[i - 1] == b[j - 1] ? MATCH : MISMATCH);
            best = up[j] + GAP > best ? up[j] + GAP : best;
            best = row[j - 1] + GAP > best ? row[j - 1] + GAP : best;
            row[j] = best > 0 ? best : 0;
            if (row[j] > most)
                most = row[j];
        }
    }
    return most;
}

/* The best local score, or 0: then it is the table's last number. */
static int fill(enum method method, const struct text texts[2], int rows, int columns, int *table) {
    const char *a = texts[0].letter, *b = texts[1].letter;
    if (method == LOCAL)
        return fill_local(a, b, rows, columns, table);
    if (method == COMMON)
        fill_common(a, b, rows, columns, table);
    else
        fill_edit(a, b, rows, columns, table);
    return 0;
}

/* ---- the way back ---- */

/* Where the best local alignment ends: the first place with that score. */
static void find(const int *table, int rows, int columns, int score, int *i, int *j) {
    for (*i = 0; *i < rows; ++*i)
        for (*j = 0; *j < columns; ++*j)
            if (table[(size_t)*i * columns + *j] == score)
                return;
}

/* Collects the letters in common, from (i, j) back; returns how many there are. */
static int walk_back(const struct options *o, const struct text texts[2], const int *table,
                     int columns, int i, int j, char *common) {
    int count = 0;
    while (i > 0 && j > 0) {
        const int *row = table + (size_t)i * columns, *up = row - columns;
        int same = texts[0].letter[i - 1] == texts[1].letter[j - 1];
        int step = o->method == COMMON ? same
                   : o->method == EDIT ? !same
                                       : same * (MATCH - MISMATCH) + MISMATCH;
        int across = o->method == COMMON ? 0 : o->method == EDIT ? 1 : GAP;
        if (o->method == LOCAL && row[j] == 0)
            break;
        if (row[j] == up[j - 1] + step && (o->method != COMMON || same)) {
            if (same)
                common[count++] = texts[0].letter[i - 1];
            --i, --j;
        } else if (row[j] == up[j] + across) {
            --i;
        } else {
            --j;
        }
    }
    return count;
}

static void save(const char *path, const char *common, int count) {
    FILE *file = fopen(path, "w");
    for (int i = count - 1; file && i >= 0; --i)
        putc(common[i], file);
    if (!file || putc('\n', file) == EOF || fclose(file) != 0) {
        fprintf(stderr, "%s: error: cannot write: %s\n", path, strerror(errno));
        exit(1);
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    static const char *const names[] = {"longest common subsequence", "edit distance",
                                        "local alignment"};
    struct options o = parse_options(argc, argv);
    struct text texts[2];
    random_texts(&o, texts);
    for (int t = 0; o.files[1] && t < 2; ++t)
        free(texts[t].letter), texts[t] = read_text(o.files[t]);
    int rows = texts[0].count + 1, columns = texts[1].count + 1, i = rows - 1, j = columns - 1;
    int *table = allocate((size_t)rows * (size_t)columns, sizeof *table);
    char *common = allocate((size_t)rows, 1);
    memset(table, 0, (size_t)rows * (size_t)columns * sizeof *table);
    double from = now();
    int score = 0;
    for (int time = 0; time < o.repeat; ++time)
        score = fill(o.method, texts, rows, columns, table);
    double seconds = (now() - from) / o.repeat;
    if (o.method == LOCAL)
        find(table, rows, columns, score, &i, &j);
    else
        score = table[(size_t)rows * (size_t)columns - 1];
    int count = walk_back(&o, texts, table, columns, i, j, common);
    printf("%d and %d letters, %.6f s, %s %d, %d letters in common\n", rows - 1, columns - 1,
           seconds, names[o.method], score, count);
    if (o.output)
        save(o.output, common, count);
    free(table), free(common), free(texts[0].letter), free(texts[1].letter);
    return 0;
}
