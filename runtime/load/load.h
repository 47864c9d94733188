/*
 * What the loaders of orrery.h share: a file taken in pieces of whole lines, by as many threads as
 * the program has workers, and numbers read as strtol and strtod read them, but faster. Nothing
 * here knows of regions: a program built without Orrery links the same code and has one thread.
 *
 * A text is gone through twice. The first time the lines of each piece are counted, which tells
 * where the records of each piece go; the second time they are read into their place. So memory
 * holds the result and one piece per thread, never the text, and the result does not depend on the
 * number of threads.
 */
#ifndef ORRERY_RUNTIME_LOAD_H
#define ORRERY_RUNTIME_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOAD_WAYS = 8, LOAD_MESSAGE = 256, LOAD_ARRAYS = 4 };

/* ---- failing --------------------------------------------------------------------------------- */

/* Keeps the message for orrery_load_error. Returns -1. */
int load_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* `count` elements of `size` bytes, at least one; NULL with a message when there is no memory. */
void *load_memory(size_t count, size_t size);

/* ---- the file -------------------------------------------------------------------------------- */

struct load_source {
    const char *path;
    int file;
    long size;
    char *text; /* all of it, of what can be read only once (a pipe); else NULL */
};

/* Whole lines of a source. They end with '\n' but for the last of the file; '\0' follows all. */
struct load_piece {
    const char *text;
    long size, offset;
    char *memory; /* its own, reused by the next piece; free when done */
    size_t capacity;
};

int load_source_open(struct load_source *source, const char *path);
void load_source_close(struct load_source *source);

/* How many pieces; bytes a piece is about, which tests make small. */
long load_source_pieces(const struct load_source *source);
extern long load_piece_bytes;

/* The lines that begin in the `index`-th part of the file. Returns 0 or -1 with a message. */
int load_piece_read(const struct load_source *source, long index, struct load_piece *piece);

/* `size` bytes from `offset`. Returns 0 or -1 with a message; a file that ends before is one. */
int load_source_bytes(const struct load_source *source, long offset, void *into, size_t size);

/* Fails with `path:line:column: error: ` before the message; `offset` is the byte to blame. */
int load_fail_at(const struct load_source *source, long offset, const char *message);

/* ---- in parallel ----------------------------------------------------------------------------- */

/* Supplied by liborrery. Without it there is one thread. */
int orrery_load_threads(void) __attribute__((weak));

/*
 * Calls task(state, index, piece) for 0 <= index < count, each once, in any order and by several
 * threads; `piece` is scratch of the calling thread. When one fails (not 0), those of a larger
 * index may be left out, and the message is that of the least index that failed. Returns 0 or -1.
 */
typedef int load_task(void *state, long index, struct load_piece *piece);
int load_each(long count, load_task *task, void *state);

/* ---- lines ----------------------------------------------------------------------------------- */

struct load_cursor {
    const char *at;
    const char *wrong; /* the place to blame, once something failed */
    char message[LOAD_MESSAGE];
};

/* Keeps the message, to blame the place `at`. Returns -1. */
int load_cursor_fail(struct load_cursor *cursor, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

struct load_tally {
    long records, entries;
};

struct load_range {
    long low, high;
};

struct load_job;

/* A result: `bytes` for each record, or each entry. */
struct load_array {
    void *base;
    size_t bytes;
    bool by_entries;
};

/* A kind of file. */
struct load_format {
    const char *comments; /* lines that begin with one of these are skipped, and blank ones */
    bool raw; /* not lines, but rows of bytes from `body` on, whose bytes are the records */
    size_t into_bytes; /* of the job's `into`, which points to nothing but the results, so that it
                        * means the same on every rank */
    /* What a line will give, when it is not one record. Must not fail. */
    void (*count)(const struct load_job *job, const char *line, struct load_tally *tally);
    /* Reads the line at the cursor, moves `at` behind what it has stored and widens the ranges. */
    int (*read)(const struct load_job *job, struct load_cursor *line, struct load_tally *at,
                struct load_range *range);
    /* Raw, of files whose bytes are not those of the result: reads rows [from, to) to where all of
     * them begin, `into`. One thread at a time. NULL: they are. */
    int (*rows)(const struct load_job *job, long from, long to);
    /* Says where the results are; what is not there has no base. */
    void (*arrays)(const void *into, struct load_array arrays[LOAD_ARRAYS]);
    /* NULL, or what is left to do with the results from one tally to another, and a sum of them. */
    long (*after)(const struct load_job *job, const struct load_tally *from,
                  const struct load_tally *to);
};

extern const struct load_format load_format_ratings, load_format_rows, load_format_examples,
    load_format_triples, load_format_documents, load_format_bytes, load_format_hdf5;

/* One load. */
struct load_job {
    const struct load_source *source;   /* the file */
    const struct load_format *format;   /* how its lines are read */
    long body;                          /* offset of the first line that is read */
    long row, rows;                     /* of a raw file: bytes of a row, how many there are */
    void *into;                         /* the format's */
    struct load_tally total;            /* results of load_count and load_read, as `range` */
    struct load_range range[LOAD_WAYS]; /* least and greatest id of each column, of what was read */
    long first, last;          /* the pieces that this rank reads: all, where there is one rank */
    struct load_tally *before; /* per piece of these, and behind the last, what stands before it
                                * (freed by load_job_end) */
    struct load_group *group;  /* the ranks that help; NULL: none */
};

/*
 * Goes through the text, twice in all; load_after calls the format's `after` for all that was read
 * and adds up what it returns. Return 0 or -1 with a message. load_job_end: with `keep` what was
 * read stays where it is, else nobody wants it.
 */
int load_count(struct load_job *job);
int load_read(struct load_job *job);
int load_after(struct load_job *job, long *sum);
void load_job_end(struct load_job *job, bool keep);

/* The same for the job's own pieces, between `first` and `last`. */
int load_own_count(struct load_job *job);
int load_own_read(struct load_job *job);
int load_own_after(struct load_job *job, long *sum);
/* What a rank reads of the text of pieces first <= i < last, as a number; of a file whose bytes are
 * not the result's all of it. */
int load_text_sum(const struct load_job *job, long first, long last, uint64_t *sum);
long load_job_pieces(const struct load_job *job);
/* Bytes of the file, raw: of the rows, in front of a piece, of which there are some. */
long load_job_before(const struct load_job *job, long piece);

/* The tasks of load_each for lines: `state` is a struct load_walk. */
struct load_walk {
    struct load_job *job;
    struct load_range (*range)[LOAD_WAYS]; /* per piece, when reading */
};
int load_lines_count(void *state, long index, struct load_piece *piece);
int load_lines_read(void *state, long index, struct load_piece *piece);

/* ---- on several ranks (io_group.c, share/load.c) --------------------------------------------- */

/* What liborrery gives: ranks that read along. */
struct load_ranks {
    int rank, ranks;                                /* this one, and how many there are */
    long least;                                     /* shorter files are left to rank 0 */
    void (*ask)(const void *message, size_t bytes); /* rank 0: all others call orrery_load_help */
    void (*send)(int rank, const void *data, size_t bytes); /* to a rank that waits in `receive` */
    /* what that rank sends next, of just so many bytes */
    void (*receive)(int rank, void *data, size_t bytes);
    void (*place)(void *memory, size_t bytes, int rank); /* rank 0: what `rank` has written is to be
                                                          * had here */
    void (*commit)(void *memory, size_t bytes);          /* the others: memory to write to */
    void (*drop)(const void *memory, size_t bytes);      /* the others: not wanted any more */
    void (*say)(const char *text);                       /* a remark */
    void (*told)(const char *path, const long *bytes);   /* who read how many bytes of a file */
};

/* Supplied by liborrery; without it, and where nobody can help (NULL), rank 0 reads alone. */
const struct load_ranks *orrery_load_ranks(void) __attribute__((weak));

/* The other ranks: does what rank 0 asks for. False: that is nothing there is. */
bool orrery_load_help(const struct load_ranks *ranks, const void *message, size_t bytes);

/* Rank 0. load_group_begin: asks the others to count their pieces, and leaves the job its own;
 * load_group_counted: gets their tallies and gives all their places. Then what load_own_... did is
 * completed by what the others did. */
int load_group_begin(struct load_job *job);
int load_group_counted(struct load_job *job);
void load_group_read_begin(struct load_job *job);
int load_group_read_end(struct load_job *job, int failed);
void load_group_after_begin(struct load_job *job);
int load_group_after_end(struct load_job *job, int failed, long *sum);
void load_group_end(struct load_job *job, bool keep);

/* `"1"` in a line that looks like one of names. */
bool load_quotes_number(const char *line);

/* The first line at or after `offset` that is not blank nor a comment, copied ('\0' at its end, at
 * most `size` - 1 characters). Returns its offset, the file's size when there is none, -1 with a
 * message. `next`: where the line after it begins. */
long load_first_line(const struct load_source *source, long offset, const char *comments,
                     char *line, size_t size, long *next);

/* ---- numbers --------------------------------------------------------------------------------- */

/* The number at `text`, which is not skipped to: no blanks before it. Returns what follows it, or
 * NULL when there is none. Whole numbers beyond long are LONG_MAX; real ones are those of strtod
 * and strtof in the C locale, to the last bit. */
const char *load_whole(const char *text, long *value);
const char *load_real(const char *text, double *value);
const char *load_any_float(const char *text, float *value);
int load_any_id(struct load_cursor *line, const char *what, long least, int *id);

/* The first character that is no blank (space, tab, '\r'). */
static inline const char *load_skip(const char *text) {
    while (*text == ' ' || *text == '\t' || *text == '\r')
        ++text;
    return text;
}

/* All digits from `text` on, taken in behind `sum`, which wraps around. Returns what follows. */
static inline const char *load_digits(const char *text, unsigned *sum) {
    unsigned so_far = *sum, digit;
    for (; (digit = (unsigned)(unsigned char)*text - '0') < 10; ++text)
        so_far = so_far * 10 + digit;
    *sum = so_far;
    return text;
}

/* load_any_float for what is mostly there: up to 7 digits in all, so that they and the power of ten
 * are exact and one division rounds (see number.c). */
static inline const char *load_float(const char *text, float *value) {
    static const float tens[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f};
    unsigned sum = 0;
    const char *first = text + (*text == '-'), *at = load_digits(first, &sum);
    long whole = at - first, part = 0;
    if (*at == '.') {
        const char *point = at + 1;
        at = load_digits(point, &sum);
        part = at - point;
    }
    if (whole == 0 || whole + part > 7 || (*at | 32) == 'e' || (*at | 32) == 'x')
        return load_any_float(text, value);
    float number = (float)sum / tens[part];
    *value = *text == '-' ? -number : number;
    return at;
}

/* True where a number would begin right behind another one: `2.5` is no id 2 and a value .5. */
static inline bool load_goes_on(const char *end) {
    return *end == '.' || *end == '-' || *end == '+';
}

/* One blank, and a digit behind it. */
static inline bool load_is_next(const char *end) {
    return (*end == ' ' || *end == '\t') && (unsigned)(unsigned char)end[1] - '0' < 10;
}

/* Reads an id at the cursor, from `least` to INT_MAX, and moves on behind it; `what` names it. */
static inline int load_id(struct load_cursor *line, const char *what, long least, int *id) {
    unsigned sum = 0;
    const char *first = load_skip(line->at), *at = load_digits(first, &sum);
    if (at == first || at - first > 9 || sum < least || load_goes_on(at))
        return load_any_id(line, what, least, id);
    *id = (int)sum;
    line->at = at;
    return 0;
}

/* ---- model files ----------------------------------------------------------------------------- */

struct orrery_model_array;

/* As orrery_save. */
int load_save_hdf5(const char *path, int count, const struct orrery_model_array *arrays);

/* 1 when ids of this range count from 1 (none is 0), else 0. */
long load_base(const struct load_range *range);

#endif
