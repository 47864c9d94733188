/* What the files of this folder share. */
#ifndef ORRERY_ANALYZER_EFFECTS_PRIVATE_H
#define ORRERY_ANALYZER_EFFECTS_PRIVATE_H

#include "analyzer/effects.h"

/* library.effects, built in. */
extern const char effects_library[];

/* What is wrong with a line: `at` in its text; NULL `what`: nothing. `nearest`: the word that may
 * be meant, or NULL. */
struct effect_error {
    const char *at, *what, *nearest;
};

/* Reads one line into `to`. Returns false, and `error`, when it is malformed. */
bool effects_read(struct arena *arena, const struct effect_line *line, struct effects *to,
                  struct effect_error *error);

#endif
