/*
 * Text -> struct unit, through libclang (the only room that knows clang).
 */
#ifndef ORRERY_ANALYZER_PARSE_H
#define ORRERY_ANALYZER_PARSE_H

#include "analyzer/diag.h"
#include "analyzer/ir.h"
#include "analyzer/pragma.h"

/*
 * How to parse. `args` are the compiler's arguments that matter to parsing (-I -D -U -std -include
 * -f -m -O ...), without the input and without -c/-o. `text`, when not NULL, is used instead of the
 * file's content.
 */
struct parse_options {
    const char *file;
    int nargs;
    const char *const *args;
    const char *text;
};

/*
 * Parses one C file with all pragmas bound to their loops. Errors of the C text (as clang words
 * them, code ORR9001) and of pragmas (ORR91xx) go to `diags`. Returns NULL only when nothing could
 * be parsed (missing file: ORR9002); otherwise a unit, which is only to be trusted when
 * diags->nerrors is 0.
 */
struct unit *parse_unit(struct arena *arena, const struct parse_options *options,
                        struct diag_list *diags);

/* libclang's version as it prints it. */
const char *parse_clang_version(struct arena *arena);

/* ---- the compiler's flags -------------------------------------------------------------------- */

/*
 * Those of `flags` that decide what the text means, behind __ORRERY__ and the folder `include` of
 * orrery.h (NULL: none). Returns how many `args` there are.
 */
int parse_flags(struct arena *arena, const char *include, int nflags, const char *const *flags,
                const char ***args);

/* ---- sources that are no C ------------------------------------------------------------------- */

/* `name`: what -x calls it. `words`: for messages. `is_c`: the analyzer reads it all the same. */
struct language {
    const char *suffix, *name, *words;
    bool is_c;
};

/* By the -x in force, else (NULL) by the file's name; NULL: C, or nothing known. */
const struct language *language_find(const char *file, const char *name);

/* The language that `orrery` is asked to read and cannot, in words; NULL: it is C. `flags`: the
 * compiler's, of which the last -x counts. */
const char *language_foreign(const char *file, int nflags, const char *const *flags);

#endif
