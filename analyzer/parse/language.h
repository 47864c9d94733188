/* Languages of sources that are no C, as gcc knows them by suffix or by -x. */
#ifndef ORRERY_ANALYZER_LANGUAGE_H
#define ORRERY_ANALYZER_LANGUAGE_H

#include <stdbool.h>

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
