/*
 * `orrery fix`: makes the edits that messages propose, one message after the other, each on the
 * text that the last one left, and keeps those after which the analysis is better off. Clauses
 * that free a loop from the serial values are added only where it is parallel in the end.
 */
#ifndef ORRERY_TOOLS_FIX_H
#define ORRERY_TOOLS_FIX_H

#include "tools/pipeline/pipeline.h"

/* What is asked for. */
struct fix_request {
    struct compile_request compile; /* of the file; its text is read by fix_run */
    int ncodes;                     /* 0: every code */
    const char *const *codes;       /* of the messages whose edits are made */
    long line;                      /* of the message, as the file has it now; 0: any */
    bool chosen;                    /* codes or a line are named: promises may be made, too */
};

/* A message with an edit, or that would have one. */
struct fix_step {
    const char *code, *message, *gives_up;
    int line, column; /* in the text as it was when the edit was made */
    int loop;         /* index of the loop's plan; -1: of an error */
    bool frees;       /* as in struct diag */
    const char *why;  /* the edit was not made: why; NULL: it was */
};

/* What became of a file. Texts in the arena of the request's. */
struct fix_result {
    const char *name, *before, *after; /* `after` is `before` where nothing was made */
    int nsteps;
    struct fix_step *steps;
    struct compilation left; /* the analysis of `after` */
};

/* Local. False: the file cannot be read, which was said on stderr. */
bool fix_run(struct arena *arena, const struct fix_request *request, struct fix_result *result);

/* Replaces the file by `after`, whole or not at all. False: it cannot be written: said on
 * stderr. */
bool fix_write(const struct fix_result *result);

/* The difference as `diff -u` shows it, empty where there is none; diff(1) makes it. NULL: it does
 * not run, which was said on stderr. */
const char *fix_diff(struct arena *arena, const char *name, const char *before, const char *after);

#endif
