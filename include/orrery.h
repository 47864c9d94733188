/*
 * Marks loops for Orrery without a pragma, for those who build with -Wall -Werror (an unknown
 * pragma is a warning there). Without Orrery, and to the compiler, both are nothing. And random
 * numbers for parallel loops, and loaders of data. Only the loaders need a library: -lorrery-load,
 * which serial programs link as well; orrery-cc links it by itself.
 *
 *     ORRERY_PARALLEL(unordered)
 *     for (long n = 0; n < nnz; ++n) ...
 *
 * ORRERY_PARALLEL takes the clauses of `#pragma orrery parallel` (docs/pragma.md), or none:
 * ORRERY_PARALLEL(). ORRERY_SERIAL leaves a loop alone. Both bind to the next `for` and cannot be
 * wrapped into another macro. __ORRERY__ is defined while Orrery reads a file.
 */
#ifndef ORRERY_H
#define ORRERY_H

/* orrery-cc defines it where it asks the preprocessor for marks. */
#ifndef ORRERY_PARALLEL
#define ORRERY_PARALLEL(...)
#endif
#define ORRERY_SERIAL

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L

/*
 * Random numbers without a hidden state: the n-th 64 bits of the stream `seed`, any n in any order,
 * the same on every thread and rank. What to draw from in a parallel loop instead of rand(), with
 * the loop's variable (or its product with the draws per iteration) as n.
 *
 * Philox 4x32, 10 rounds: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2,
 * 3", SC 2011; the numbers are those of Random123's philox4x32 (words 0 and 1; counter n, 0; key
 * seed).
 */
static inline unsigned long long orrery_random(unsigned long long seed, unsigned long long n) {
    unsigned long long c0 = n & 0xffffffffULL, c1 = n >> 32, c2 = 0, c3 = 0, p0, p1;
    unsigned long long k0 = seed & 0xffffffffULL, k1 = seed >> 32;
#define ORRERY_ROUND                                                                               \
    p0 = 0xD2511F53ULL * c0, p1 = 0xCD9E8D57ULL * c2;                                              \
    c0 = (p1 >> 32) ^ c1 ^ k0, c1 = p1 & 0xffffffffULL;                                            \
    c2 = (p0 >> 32) ^ c3 ^ k1, c3 = p0 & 0xffffffffULL;                                            \
    k0 = (k0 + 0x9E3779B9ULL) & 0xffffffffULL, k1 = (k1 + 0xBB67AE85ULL) & 0xffffffffULL;
    ORRERY_ROUND ORRERY_ROUND ORRERY_ROUND ORRERY_ROUND ORRERY_ROUND ORRERY_ROUND ORRERY_ROUND
            ORRERY_ROUND ORRERY_ROUND ORRERY_ROUND
#undef ORRERY_ROUND
        return c0 |
        c1 << 32;
}

/* The same, uniform in [0, 1): the upper 53 bits. */
static inline double orrery_uniform(unsigned long long seed, unsigned long long n) {
    return (double)(orrery_random(seed, n) >> 11) * (1.0 / 9007199254740992.0);
}

#endif

/*
 * Loaders. Each reads a whole file and returns 0, or -1; then orrery_load_error() says what is
 * wrong and where ("ratings.txt:17:4: error: expected the value, a number"), to the calling thread
 * until its next failure. Memory comes from malloc. Ids count from 0 once they are read: those of
 * a file whose least id is not 0 in any column count from 1. Files are text that is not packed, and
 * /dev/stdin works. A program built by orrery-cc reads by as many threads as it has; the result is
 * the same. Memory is what is returned and 2 MiB per thread.
 */
#ifdef __cplusplus
extern "C" {
#endif

const char *orrery_load_error(void);

/* Entries of a matrix, one per line: `row column value`, `user,item,value,time` (with or without a
 * line of names), `user::item::value::time`, or Matrix Market. A missing value is 1; the time is
 * not kept. */
struct orrery_rating {
    int row, column;
    float value;
};
struct orrery_ratings {
    struct orrery_rating *entry;
    long count;
    int rows, columns;
};
int orrery_load_ratings(const char *path, struct orrery_ratings *ratings);

/* Entries of a tensor, one per line: as many indices as it has ways, and the value. The indices of
 * entry n are index[n * ways] and on. */
enum { ORRERY_WAYS = 8 };
struct orrery_tensor {
    int *index;
    float *value;
    long count;
    int ways;
    long size[ORRERY_WAYS];
};
int orrery_load_tensor(const char *path, struct orrery_tensor *tensor);

/* Labelled sparse examples (libsvm): `label feature:value ...`, features rising. Those of example n
 * are feature[p] for start[n] <= p < start[n + 1]. */
struct orrery_examples {
    float *label;
    long *start;
    int *feature;
    float *value;
    long count, entries;
    int features;
};
int orrery_load_examples(const char *path, struct orrery_examples *examples);
void orrery_free_examples(struct orrery_examples *examples);

/* Bags of words, UCI's `document word count` or ldac's line per document: one entry for each word
 * of a document. tokens: the sum of the counts. */
struct orrery_bag_entry {
    int document, word, count;
};
struct orrery_bags {
    struct orrery_bag_entry *entry;
    long entries, documents, tokens;
    int words;
};
int orrery_load_bags(const char *path, struct orrery_bags *bags);

/* Rows of as many numbers each, separated by commas, semicolons or blanks; a first line of names is
 * skipped. Row n begins at value[n * columns]. */
struct orrery_table {
    float *value;
    long rows;
    int columns;
};
int orrery_load_table(const char *path, struct orrery_table *table);

/* NumPy's .npy, row by row. Saving writes a file beside `path` and renames it, so that `path` is
 * always whole; `count` is not looked at. */
enum orrery_npy_type {
    ORRERY_NPY_FLOAT = 1,
    ORRERY_NPY_DOUBLE,
    ORRERY_NPY_INT8,
    ORRERY_NPY_UINT8,
    ORRERY_NPY_INT16,
    ORRERY_NPY_UINT16,
    ORRERY_NPY_INT32,
    ORRERY_NPY_UINT32,
    ORRERY_NPY_INT64,
    ORRERY_NPY_UINT64
};
struct orrery_npy {
    void *data;
    enum orrery_npy_type type;
    int dims;
    long shape[ORRERY_WAYS], count;
};
int orrery_load_npy(const char *path, struct orrery_npy *array);
int orrery_save_npy(const char *path, const struct orrery_npy *array);

/* An array of numbers of an HDF5 file, by its path ("model/users"; NULL: the only one there is).
 * Elements come in the type that they have in the file, in this machine's byte order. HDF5 is
 * loaded when it is asked for; where Orrery was built without it that is an error. */
int orrery_load_hdf5(const char *path, const char *name, struct orrery_npy *array);

/*
 * A model file that others read: `path` ends in .npy (one array) or in .h5 or .hdf5 (HDF5: each
 * array under its name, `count` of them). It replaces what was there when it is whole.
 */
struct orrery_model_array {
    const char *name;
    struct orrery_npy array;
};
int orrery_save(const char *path, int count, const struct orrery_model_array *arrays);

/*
 * Calls into shared libraries with parallel loops (orrery-cc -shared -fPIC; docs/shared.md); part
 * of what those are linked with, liborrery.so. orrery_try calls work(data). Loops that run in it,
 * in the same thread, know the sizes of the blocks of `memory`, which stay where they are
 * meanwhile: what is not known is not checked, and may be a reason to refuse. A loop that cannot
 * run, before it has changed anything, leaves `work` by longjmp; then `message` says why, with the
 * way out. `signals`: so does the first loop that begins behind a SIGINT for which there is a
 * handler, and that is called as well. Any thread.
 */
struct orrery_memory {
    const void *base;
    unsigned long bytes;
};
struct orrery_try {
    const struct orrery_memory *memory; /* NULL, 0: none */
    int count, signals;
    char message[1024];
};
enum { ORRERY_REFUSED = 1, ORRERY_INTERRUPTED = 2 };
int orrery_try(struct orrery_try *trying, void (*work)(void *data), void *data); /* 0: it ran */

#ifdef __cplusplus
}
#endif

#endif
