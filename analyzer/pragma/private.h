/*
 * What the files of the pragma reader share: directives as they stand in a text, before and after
 * their clauses were read.
 */
#ifndef ORRERY_ANALYZER_PRAGMA_PRIVATE_H
#define ORRERY_ANALYZER_PRAGMA_PRIVATE_H

#include "analyzer/parse/private.h"

/* One directive of a file. */
struct directive {
    int file;           /* its index in the unit */
    struct range range; /* all of it, in the text */
    /* parallel or serial as written, its token; for the macros, the macro's name */
    struct token word;
    int ntokens; /* of `tokens` */
    /* what follows `orrery` or stands between the parentheses of ORRERY_PARALLEL */
    struct token *tokens;
    unsigned next, next_end; /* `next`: the first token after it that belongs to no directive */
    bool has_next;           /* `next` is set */
};

/* requires: loops. Finds all directives of all user files and binds them. */
void pragma_bind(struct translator *t);

/* Names of macros that bring marks. */
struct markers {
    int count;
    const char **names;
};

/* Adds those that one file defines. */
void pragma_scan_markers(struct translator *t, int file, struct markers *markers);

/* All directives of one file in order; what cannot be one is reported (scan.c). */
int pragma_scan(struct translator *t, int file, struct markers *markers,
                struct directive **directives);

/* Reads the clauses; NULL when something was wrong and has been reported (clause.c). */
struct pragma *pragma_read(struct translator *t, const struct directive *directive);

/* The place of text bytes [begin, end) of a file. */
struct range pragma_range(struct translator *t, int file, unsigned begin, unsigned end);

#endif
