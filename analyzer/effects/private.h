/* What the files of this folder share. */
#ifndef ORRERY_ANALYZER_EFFECTS_PRIVATE_H
#define ORRERY_ANALYZER_EFFECTS_PRIVATE_H

#include "analyzer/effects.h"
#include "analyzer/table.h"

/* library.effects, built in. */
extern const char effects_library[];

/* `read`: NULL until somebody asks. `steps`: how many names and parts of names were made of it, at
 * most EFFECTS_MOST_NAMES; with as many, some were left out. */
struct entry {
    struct effect_line line;
    struct effects *read;
    int steps;
};

enum { EFFECTS_MOST_NAMES = 1000 };

/* Name i stands in entry `of[i]`; `by_hash`: the numbers of names. */
struct effect_files {
    struct arena *arena;
    int nentries, nnames, nof;
    struct entry *entries;
    const char **names;
    int *of;
    struct int_table by_hash;
};

struct effect_files *effect_files_empty(struct arena *arena);
/* The lines of a text, which has to stay where it is. Of two about one function the later counts. */
void effect_files_add(struct effect_files *files, const char *name, const char *text);

/* Why a line is about another function than this one; NULL: it is not. */
const char *effects_misfit(const struct effects *effects, const struct function *function);

/* Says what the body does and the line, which stands at `line`, does not say. */
void effects_check_body(struct unit *unit, const struct function *function,
                        const struct effects *effects, struct range line, struct diag_list *diags);

/* What is wrong with a line: `at` in its text; NULL `what`: nothing. `nearest`: the word that may
 * be meant, or NULL. */
struct effect_error {
    const char *at, *what, *nearest;
};

/* Reads one line into `to`. Returns false, and `error`, when it is malformed. */
bool effects_read(struct arena *arena, const struct effect_line *line, struct effects *to,
                  struct effect_error *error);

#endif
