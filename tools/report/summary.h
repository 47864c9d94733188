/* How many loops became what, per file and over all files of a call. */
#ifndef ORRERY_TOOLS_SUMMARY_H
#define ORRERY_TOOLS_SUMMARY_H

#include "tools/pipeline/pipeline.h"

enum { SUMMARY_WORDS = 64 };

/*
 * Counts of one file. `by`: loops per strategy's name (parallel) and per code (serial), in the
 * order they were met; what no longer fits is in no word's count. No pointers into arenas: it is
 * handed between processes.
 */
struct summary {
    int loops, marked, parallel, serial;
    int nwords;
    struct summary_word {
        char name[24];
        bool serial;
        int count;
    } by[SUMMARY_WORDS];
};

/* requires: plans as they will be emitted. */
void summary_count(struct summary *summary, const struct compilation *pipeline);

/* `FILE: n loops considered, ...` and below it one line per strategy and per code. */
void summary_print(const struct summary *summary, const char *file, void *stream);

/* One line per file and their sum. `names`: as the user named them. */
void summary_table(int nfiles, const char *const *names, const struct summary *summaries,
                   void *stream);

#endif
