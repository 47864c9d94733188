/* Two outputs of `orrery analyze --format=json`, and which loop of one is which of the other. */
#ifndef ORRERY_TOOLS_DIFF_H
#define ORRERY_TOOLS_DIFF_H

#include "analyzer/analyzer.h"

#include <stdbool.h>

/* One loop of an analysis. */
struct diff_loop {
    /* `code`, `message`: the reason of its verdict */
    const char *file, *function, *variable, *strategy, *code, *message;
    int line, depth;        /* in the file; how many loops of it are around it, and itself */
    bool parallel;          /* its verdict */
    struct diff_loop *pair; /* the loop of the other analysis that it is, NULL: it has none there */
};

/* A file of an analysis. `error`: the first of its errors, NULL when it has none. */
struct diff_file {
    const char *name, *error;
    int nloops;
    struct diff_loop *loops;
    struct diff_file *pair;
};

struct diff_analysis {
    struct arena *arena;
    int nfiles;
    struct diff_file *files;
};

/* Reads what `orrery analyze --format=json` wrote to `path` ("-":
 * standard input). 0, or -1 after a message. */
int diff_read(struct diff_analysis *analysis, struct arena *arena, const char *path);

/*
 * Finds the pairs. Files by their names, else by the last part of them; loops of one function in
 * their order, those with the same variable and depth: lines may have moved, loops may have come
 * and gone.
 */
void diff_match(struct diff_analysis *before, struct diff_analysis *after);

/* Prints what changed between the analyses of two files. An exit status: 1: a loop lost its
 * parallelism. */
int diff_run(struct arena *arena, const char *const *paths, bool json);

#endif
